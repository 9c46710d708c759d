// The writing half of an import: rows travel in batches to one thread that owns the file, so that parsing and writing
// overlap. Batches run in the order in which they were pushed.
#pragma once

#include "store/pages/loader.h"
#include "store/place.h"
#include "store/sqlite/database.h"
#include "store/writer/inserts.h"
#include "store/writer/row_target.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace wattproof::store {

class InsertQueue {
public:
    using Batch = std::function<Status(Inserts &)>;
    using Rows = std::function<Status(RowTarget &)>;
    using Open = std::function<Expected<std::unique_ptr<sqlite::Database>>()>;

    // To a workspace that is open: short transactions of about kTransactionTime, each behind the gate.
    InsertQueue(std::unique_ptr<sqlite::Database> database, WriteGate &gate, std::stop_token stop);
    // Into a new one: rows become pages at once; the other batches wait until finish() has closed the pages and
    // `open` has given the file to SQLite, within the transaction that `open` has begun.
    InsertQueue(std::unique_ptr<pages::Loader> loader, Open open, std::stop_token stop);
    ~InsertQueue();
    InsertQueue(const InsertQueue &) = delete;
    InsertQueue &operator=(const InsertQueue &) = delete;

    // Both wait while the queue is full. After a failure, and once the stop was requested, batches are dropped; flush()
    // says why.
    void push(Batch batch);
    void pushRows(Rows rows);
    // No rows come after this.
    void finish();
    // Waits until all that was pushed is in the file, or will be by finish().
    [[nodiscard]] Status flush();
    // The first failure so far, without waiting; cancelled() once the stop was requested.
    [[nodiscard]] Status status() const;

private:
    using Job = std::function<Status()>;
    static constexpr std::size_t kCapacity = 16;
    static constexpr std::chrono::milliseconds kTransactionTime{50};

    void enqueue(Job job);
    void work(const std::stop_token &stop);
    Status run(const Job &job, bool last);
    Status closePages();
    Status beginTransaction();
    Status endTransaction();
    void fail(Status status);
    [[nodiscard]] bool transactionIsLong() const;

    std::unique_ptr<pages::Loader> loader_;  // until finish()
    Open open_;
    std::vector<Batch> waiting_;  // for SQLite
    std::unique_ptr<sqlite::Database> database_;
    std::optional<Inserts> inserts_;
    std::optional<RowTarget> target_;
    std::stop_token stop_;
    WriteGate *gate_ = nullptr;
    bool inTransaction_ = false;
    std::chrono::steady_clock::time_point begun_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool busy_ = false;
    std::optional<Error> error_;
    std::jthread thread_;  // last: starts when everything else stands
};

}  // namespace wattproof::store
