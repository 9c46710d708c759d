#include "widgets/query_bridge.h"
