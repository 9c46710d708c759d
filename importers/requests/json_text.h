// A JSON value as the text that tables hold: numbers plain, without exponents, so that times convert exactly.
#pragma once

#include "importers/profile/json_items.h"

#include <string>

namespace wattproof::importers::requests {

[[nodiscard]] std::string textOf(const JsonValue &);

}  // namespace wattproof::importers::requests
