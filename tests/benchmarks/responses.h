// How soon an import shows that it is at work, and how soon it stops when it is told to.
#pragma once

#include <string>

namespace wattproof::bench {

struct Responses {
    double firstReport = 0;    // s until progress was reported at all
    double longestSilence = 0; // s between two reports, or the last one and the end
    double longestCancel = 0;  // s from the wish to stop to the return, over several moments of the import
    bool ok = false;
};

[[nodiscard]] Responses responsesOf(const std::string &file, const std::string &workspace);
void printResponses(const Responses &);

}  // namespace wattproof::bench
