// Text of the kernel's ftrace in files of its own (systrace, atrace, trace-cmd report, /sys/kernel/tracing/trace),
// and HTML pages that hold such text or Chrome JSON.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeSystraceImporter();

}  // namespace wattproof::importers
