#include "report/report.h"

namespace wattproof::report {

std::string escapeHtml(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        case '\'': safe += "&#39;"; break;
        default:
            // Control characters are not legal in HTML or XML; what stands for them is visible.
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
                safe += "\uFFFD";
            else
                safe += c;
        }
    }
    return safe;
}

}  // namespace wattproof::report
