// The import service of the real program: importers behind the widgets' interface.
#pragma once

#include "widgets/import_service.h"

#include <memory>

namespace wattproof::app {

[[nodiscard]] std::unique_ptr<widgets::ImportService> makeImportService();

}  // namespace wattproof::app
