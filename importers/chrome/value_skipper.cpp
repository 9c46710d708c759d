#include "importers/chrome/value_skipper.h"

namespace wattproof::importers::chrome {

void ValueSkipper::step(char c) {
    if (inString_) {
        inString_ = escaped_ || c != '"';
        escaped_ = !escaped_ && c == '\\';
        done_ = !inString_ && depth_ == 0;
    } else if (c == '"') {
        inString_ = true;
    } else if (c == '{' || c == '[') {
        ++depth_;
    } else if (c == '}' || c == ']') {
        done_ = --depth_ <= 0;
    }
}

const char *ValueSkipper::skip(const char *at, const char *end) {
    while (at != end && !done_)
        step(*at++);
    return at;
}

}  // namespace wattproof::importers::chrome
