#include "store/version.h"

#include <sqlite3.h>

namespace wattproof {

const char *toolVersion() {
    return WATTPROOF_VERSION;
}

const char *buildData() {
    return WATTPROOF_BUILD ", SQLite " SQLITE_VERSION;
}

}  // namespace wattproof
