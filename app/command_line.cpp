#include "app/command_line.h"

namespace wattproof::app {

int run(int, char **) {
    return kUsage;
}

}  // namespace wattproof::app
