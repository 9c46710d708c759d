// Short nvidia-smi logs as text, and the check that one was imported without breaking the writer's rules.
#pragma once

#include "tests/importers/power_support.h"

#include <string>
#include <vector>

namespace wattproof::test {

inline const std::string kHeader = "timestamp, index, power.draw [W], temperature.gpu\n";

inline std::string row(int second, const std::string &rest) {
    return "2025/07/22 05:10:" + std::string(second < 10 ? "0" : "") + std::to_string(second) + ".000, " + rest +
           "\n";
}

inline std::string rows(const std::vector<std::string> &cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i)
        text += row(static_cast<int>(i), cells[i]);
    return text;
}

}  // namespace wattproof::test

#define QVERIFY_IMPORTED(log)                                                                              \
    QVERIFY2((log)->summary.has_value(), (log)->summary ? "" : (log)->summary.error().sentence().c_str()); \
    QVERIFY2((log)->writer.violations.empty(),                                                             \
             (log)->writer.violations.empty() ? "" : (log)->writer.violations[0].c_str())
