// The writing half of an import: rows travel in batches to one thread that owns the connection, so that parsing
// and SQLite overlap. Batches run in the order in which they were pushed.
#pragma once

#include "store/place.h"
#include "store/sqlite/database.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

namespace wattproof::store {

// Statements of one connection, prepared at first use and found again by the address of their text.
class Inserts {
public:
    explicit Inserts(const sqlite::Database &database) : database_(database) {}
    [[nodiscard]] const sqlite::Database &database() const { return database_; }
    // `sql` is a literal or lives as long as this.
    [[nodiscard]] Expected<sqlite::Statement *> prepared(const char *sql);
    template <class... Values>
    Status run(const char *sql, const Values &...values) {
        auto statement = prepared(sql);
        if (!statement)
            return passOn(statement);
        (*statement)->bindAll(values...).run();
        return (*statement)->status();
    }

private:
    const sqlite::Database &database_;
    std::unordered_map<const char *, sqlite::Statement> statements_;
};

class InsertQueue {
public:
    using Batch = std::function<Status(Inserts &)>;

    // With a gate: short transactions of about kTransactionTime, each behind the gate. Without: the caller has
    // begun the one transaction that everything belongs to.
    InsertQueue(std::unique_ptr<sqlite::Database> database, WriteGate *gate);
    ~InsertQueue();
    InsertQueue(const InsertQueue &) = delete;
    InsertQueue &operator=(const InsertQueue &) = delete;

    // Waits while the queue is full. After a failure batches are dropped; flush() says why.
    void push(Batch batch);
    // Waits until all that was pushed is in the database.
    [[nodiscard]] Status flush();
    // The first failure so far, without waiting.
    [[nodiscard]] Status status() const;

private:
    static constexpr std::size_t kCapacity = 16;
    static constexpr std::chrono::milliseconds kTransactionTime{50};

    void work(const std::stop_token &stop);
    Status runInTransaction(const Batch &batch);
    Status beginTransaction();
    Status endTransaction();
    void fail(Status status);
    [[nodiscard]] bool transactionIsLong() const;

    std::unique_ptr<sqlite::Database> database_;
    Inserts inserts_;
    WriteGate *gate_;
    bool inTransaction_ = false;
    std::chrono::steady_clock::time_point begun_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Batch> batches_;
    bool busy_ = false;
    std::optional<Error> error_;
    std::jthread thread_;  // last: starts when everything else stands
};

}  // namespace wattproof::store
