#include "app/command_line.h"

int main(int argc, char **argv) {
    return wattproof::app::run(argc, argv);
}
