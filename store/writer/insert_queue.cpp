#include "store/writer/insert_queue.h"

#include <utility>

namespace wattproof::store {

Expected<sqlite::Statement *> Inserts::prepared(const char *sql) {
    const auto known = statements_.find(sql);
    if (known != statements_.end())
        return &known->second;
    auto statement = database_.prepare(sql);
    if (!statement)
        return passOn(statement);
    return &statements_.emplace(sql, std::move(*statement)).first->second;
}

InsertQueue::InsertQueue(std::unique_ptr<sqlite::Database> database, WriteGate *gate)
    : database_(std::move(database)),
      inserts_(*database_),
      gate_(gate),
      thread_([this](const std::stop_token &stop) { work(stop); }) {}

InsertQueue::~InsertQueue() {
    {
        const std::lock_guard lock(mutex_);
        thread_.request_stop();
    }
    changed_.notify_all();
    thread_.join();
}

void InsertQueue::push(Batch batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return batches_.size() < kCapacity; });
    batches_.push_back(std::move(batch));
    changed_.notify_all();
}

Status InsertQueue::flush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return batches_.empty() && !busy_; });
    return error_ ? Status(tl::unexpected<Error>(*error_)) : Status();
}

Status InsertQueue::status() const {
    const std::lock_guard lock(mutex_);
    return error_ ? Status(tl::unexpected<Error>(*error_)) : Status();
}

void InsertQueue::work(const std::stop_token &stop) {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return !batches_.empty() || stop.stop_requested(); });
        if (stop.stop_requested())
            break;
        const Batch batch = std::move(batches_.front());
        batches_.pop_front();
        busy_ = true;
        const bool failed = error_.has_value();
        const bool last = batches_.empty();
        lock.unlock();
        changed_.notify_all();
        Status status = failed ? Status() : runInTransaction(batch);
        if (status && inTransaction_ && (last || transactionIsLong()))
            status = endTransaction();
        if (!status)
            fail(std::move(status));
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
    lock.unlock();
    if (inTransaction_)
        (void)endTransaction();
}

Status InsertQueue::runInTransaction(const Batch &batch) {
    if (gate_ != nullptr && !inTransaction_) {
        if (Status status = beginTransaction(); !status)
            return status;
    }
    return batch(inserts_);
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
