// Profiles of JAX and TensorFlow (*.xplane.pb): the message XSpace of planes, lines and events.
#pragma once

#include "importers/importer.h"

#include <memory>

namespace wattproof::importers {

[[nodiscard]] std::unique_ptr<Importer> makeXplaneImporter();

}  // namespace wattproof::importers
