// Requests and figures in JSON documents, streamed: nothing is held but one object of a list, or vLLM's columns.
#pragma once

#include "importers/requests/log_run.h"

namespace wattproof::importers::requests {

// Objects of the rules' list are requests or figures; single values around them are metadata.
[[nodiscard]] Status readList(LogRun &);
// Single values by their path.
[[nodiscard]] Status readObject(LogRun &);
// vLLM's benchmark: single values, and with --save-detailed one list of values for each property of the requests.
[[nodiscard]] Status readColumns(LogRun &);

}  // namespace wattproof::importers::requests
