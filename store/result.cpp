#include "store/result.h"

namespace wattproof {
namespace {
constexpr const char *kCancelled = "cancelled";
}

std::string Error::sentence() const {
    std::string text = what;
    if (!where.empty())
        text += " (" + where + ")";
    if (!remedy.empty())
        text += ": " + remedy;
    return text;
}

tl::unexpected<Error> cancelled() {
    return failure(kCancelled);
}

bool isCancelled(const Error &error) {
    return error.what == kCancelled;
}

}  // namespace wattproof
