#include "store/writer/inserts.h"

#include <utility>

namespace wattproof::store {

Expected<sqlite::Statement *> Inserts::prepared(const char *sql) {
    const auto known = statements_.find(sql);
    if (known != statements_.end())
        return &known->second;
    auto statement = database_.prepare(sql);
    if (!statement)
        return passOn(statement);
    return &statements_.emplace(sql, std::move(*statement)).first->second;
}

}  // namespace wattproof::store
