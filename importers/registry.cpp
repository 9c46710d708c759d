#include "importers/importer.h"

namespace wattproof::importers {

const std::vector<std::unique_ptr<Importer>> &registry() {
    static const std::vector<std::unique_ptr<Importer>> importers;
    return importers;
}

}  // namespace wattproof::importers
