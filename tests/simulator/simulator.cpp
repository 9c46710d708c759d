#include "tests/simulator/simulator.h"
