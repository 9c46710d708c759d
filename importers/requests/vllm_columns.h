// The requests of vLLM's benchmark as its JSON writes them with --save-detailed: one list for each property, in
// the order of the requests. The length of a request is its time to the first token and all gaps between tokens.
#pragma once

#include "importers/profile/json_items.h"
#include "importers/requests/log_run.h"

#include <string>
#include <string_view>
#include <vector>

namespace wattproof::importers::requests {

class VllmColumns {
public:
    static constexpr std::size_t kMostRequests = std::size_t{10} << 20U;

    // Whether it is a value of a list.
    [[nodiscard]] bool take(std::string_view path, const JsonValue &);
    void closeList(std::string_view path);
    [[nodiscard]] Status write(LogRun &) const;

private:
    struct Failure {
        std::size_t request = 0;
        std::string text;
    };
    void push(std::vector<double> &column, const JsonValue &);
    void takeError(const JsonValue &);
    [[nodiscard]] std::size_t countOf() const;
    [[nodiscard]] StatedRequest requestAt(std::size_t index) const;
    void noteLost(LogRun &, std::size_t count) const;
    [[nodiscard]] std::optional<Ns> startOffset(LogRun &) const;

    std::vector<double> firstTokens_, gaps_, inputs_, outputs_, starts_;
    std::vector<Failure> failures_;  // in the order of the requests
    std::size_t errors_ = 0, beyond_ = 0, unread_ = 0;
    double gap_ = 0;  // sum of the current request's gaps
    bool gapsSeen_ = false;
};

}  // namespace wattproof::importers::requests
