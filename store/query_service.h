// Runs reads on a small pool of threads, each with its own read-only connection. The latest request of a key wins: an older
// one with the same key that has not started is dropped, one that runs is interrupted. Free of Qt: the callback is
// called on a pool thread; widgets post it to their own (widgets/query_bridge.h).
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "store/reader.h"
#include "store/workspace.h"

namespace wattproof::store {

class QueryService {
public:
    using Job = std::function<void(Reader &, std::stop_token)>;

    explicit QueryService(std::shared_ptr<const Workspace> workspace, int threads = 2);
    ~QueryService();                       // cancels what runs and joins

    QueryService(const QueryService &) = delete;
    QueryService &operator=(const QueryService &) = delete;

    // key "": never replaced. Otherwise the latest of a key wins.
    void submit(std::string key, Job job);
    void cancel(const std::string &key);
    [[nodiscard]] bool isIdle() const;     // nothing waits and nothing runs
    void waitIdle();                       // for tests

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace wattproof::store
