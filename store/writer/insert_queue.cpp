#include "store/writer/insert_queue.h"

#include <utility>

namespace wattproof::store {

InsertQueue::InsertQueue(std::unique_ptr<sqlite::Database> database, WriteGate &gate, std::stop_token stop)
    : database_(std::move(database)),
      inserts_(*database_),
      target_(*inserts_),
      stop_(std::move(stop)),
      gate_(&gate),
      thread_([this](const std::stop_token &end) { work(end); }) {}

InsertQueue::InsertQueue(std::unique_ptr<pages::Loader> loader, Open open, std::stop_token stop)
    : loader_(std::move(loader)),
      open_(std::move(open)),
      target_(*loader_),
      stop_(std::move(stop)),
      thread_([this](const std::stop_token &end) { work(end); }) {}

InsertQueue::~InsertQueue() {
    {
        const std::lock_guard lock(mutex_);
        thread_.request_stop();
    }
    changed_.notify_all();
    thread_.join();
}

void InsertQueue::enqueue(Job job) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return jobs_.size() < kCapacity; });
    jobs_.push_back(std::move(job));
    changed_.notify_all();
}

void InsertQueue::push(Batch batch) {
    if (open_)
        waiting_.push_back(std::move(batch));
    else
        enqueue([this, batch = std::move(batch)] { return batch(*inserts_); });
}

void InsertQueue::pushRows(Rows rows) {
    enqueue([this, rows = std::move(rows)] { return rows(*target_); });
}

void InsertQueue::finish() {
    if (!open_)
        return;
    enqueue([this, batches = std::exchange(waiting_, {})]() -> Status {
        if (Status status = closePages(); !status)
            return status;
        for (const Batch &batch : batches) {
            if (Status status = batch(*inserts_); !status)
                return status;
        }
        return {};
    });
}

Status InsertQueue::closePages() {
    if (Status status = loader_->finish(stop_); !status)
        return status;
    auto database = open_();
    if (!database)
        return passOn(database);
    database_ = std::move(*database);
    inserts_.emplace(*database_);
    const sqlite::Interruptible interruptible(*database_, stop_);
    for (const std::string &index : loader_->incompleteIndexes()) {
        if (Status status = database_->execute("REINDEX " + index); !status)
            return status;
    }
    return {};
}

Status InsertQueue::flush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return jobs_.empty() && !busy_; });
    return error_ ? Status(tl::unexpected<Error>(*error_)) : Status();
}

Status InsertQueue::status() const {
    const std::lock_guard lock(mutex_);
    if (!error_ && stop_.stop_requested())
        return cancelled();
    return error_ ? Status(tl::unexpected<Error>(*error_)) : Status();
}

void InsertQueue::work(const std::stop_token &end) {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return !jobs_.empty() || end.stop_requested(); });
        if (end.stop_requested())
            break;
        const Job job = std::move(jobs_.front());
        jobs_.pop_front();
        busy_ = true;
        const bool failed = error_.has_value();
        const bool last = jobs_.empty();
        lock.unlock();
        changed_.notify_all();
        if (Status status = failed ? Status() : run(job, last); !status)
            fail(std::move(status));
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
    lock.unlock();
    if (inTransaction_)
        (void)endTransaction();
}

Status InsertQueue::run(const Job &job, bool last) {
    if (stop_.stop_requested())
        return cancelled();
    if (gate_ == nullptr)
        return job();
    if (!inTransaction_) {
        if (Status status = beginTransaction(); !status)
            return status;
    }
    if (Status status = job(); !status)
        return status;
    return last || transactionIsLong() ? endTransaction() : Status();
}

Status InsertQueue::beginTransaction() {
    gate_->enterAsImport();
    Status status = database_->execute("BEGIN IMMEDIATE");
    if (!status) {
        gate_->leave();
        return status;
    }
    inTransaction_ = true;
    begun_ = std::chrono::steady_clock::now();
    return {};
}

Status InsertQueue::endTransaction() {
    Status status = database_->execute("COMMIT");
    if (!status)
        (void)database_->execute("ROLLBACK");
    inTransaction_ = false;
    gate_->leave();
    return status;
}

bool InsertQueue::transactionIsLong() const {
    return std::chrono::steady_clock::now() - begun_ > kTransactionTime;
}

void InsertQueue::fail(Status status) {
    if (inTransaction_) {
        (void)database_->execute("ROLLBACK");
        inTransaction_ = false;
        gate_->leave();
    }
    const std::lock_guard lock(mutex_);
    error_ = std::move(status.error());
}

}  // namespace wattproof::store
