#include "store/query_service.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace wattproof::store {

struct QueryService::Impl {
    struct Request {
        std::string key;
        Job job;
        std::stop_source stop;
    };

    std::shared_ptr<const Workspace> workspace;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Request> waiting;
    std::vector<Request *> running;
    bool closing = false;
    std::vector<std::jthread> threads;

    [[nodiscard]] bool isIdle() const { return waiting.empty() && running.empty(); }
    void work();
    void drop(const std::string &key);
};

// A thread makes its connection at its first request; without one, the requests it takes are dropped.
void QueryService::Impl::work() {
    std::unique_ptr<Reader> reader;
    std::unique_lock lock(mutex);
    while (true) {
        changed.wait(lock, [this] { return closing || !waiting.empty(); });
        if (closing)
            return;
        Request request = std::move(waiting.front());
        waiting.pop_front();
        running.push_back(&request);
        lock.unlock();
        if (reader == nullptr) {
            if (auto made = workspace->reader())
                reader = std::move(*made);
        }
        if (reader != nullptr && !request.stop.stop_requested())
            request.job(*reader, request.stop.get_token());
        request.job = nullptr;
        lock.lock();
        std::erase(running, &request);
        changed.notify_all();
    }
}

// What waits under the key goes, what runs is asked to stop.
void QueryService::Impl::drop(const std::string &key) {
    std::erase_if(waiting, [&](const Request &request) { return request.key == key; });
    for (Request *request : running) {
        if (request->key == key)
            request->stop.request_stop();
    }
}

QueryService::QueryService(std::shared_ptr<const Workspace> workspace, int threads)
    : impl_(std::make_unique<Impl>()) {
    impl_->workspace = std::move(workspace);
    for (int i = 0; i < threads; ++i)
        impl_->threads.emplace_back([impl = impl_.get()] { impl->work(); });
}

QueryService::~QueryService() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->closing = true;
        impl_->waiting.clear();
        for (Impl::Request *request : impl_->running)
            request->stop.request_stop();
    }
    impl_->changed.notify_all();
    impl_->threads.clear();
}

void QueryService::submit(std::string key, Job job) {
    {
        const std::lock_guard lock(impl_->mutex);
        if (!key.empty())
            impl_->drop(key);
        impl_->waiting.push_back({std::move(key), std::move(job), std::stop_source()});
    }
    impl_->changed.notify_all();
}

void QueryService::cancel(const std::string &key) {
    const std::lock_guard lock(impl_->mutex);
    impl_->drop(key);
}

bool QueryService::isIdle() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->isIdle();
}

void QueryService::waitIdle() {
    std::unique_lock lock(impl_->mutex);
    impl_->changed.wait(lock, [this] { return impl_->isIdle(); });
}

}  // namespace wattproof::store
