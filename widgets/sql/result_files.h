// The answer of a query as a file, written beside its place and moved there when it is whole.
#pragma once

#include "store/task.h"
#include "widgets/sql/result_order.h"

#include <QString>

namespace wattproof::widgets {

// By the file's ending: .json, else CSV. In the order that is shown.
[[nodiscard]] Status writeResult(const store::QueryResult &, const RowOrder &, const QString &path, const Task &);

}  // namespace wattproof::widgets
