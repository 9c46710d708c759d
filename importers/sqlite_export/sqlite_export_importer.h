// SQLite exports of profilers: Nsight Systems and rocprofv3. Which of them a file is, its tables tell.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeSqliteExportImporter();

}  // namespace wattproof::importers
