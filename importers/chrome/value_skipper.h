// Passes over one JSON value of any size without holding it: only strings and brackets are looked at.
#pragma once

namespace wattproof::importers::chrome {

class ValueSkipper {
public:
    // Goes on from where the last call stopped; returns the place behind the value, or `end`.
    const char *skip(const char *at, const char *end);
    [[nodiscard]] bool done() const { return done_; }

private:
    void step(char c);

    int depth_ = 0;
    bool inString_ = false, escaped_ = false, done_ = false;
};

}  // namespace wattproof::importers::chrome
