// The workspace's one connection for edits and analysis results, shared by threads, and how a change is made
// through it.
#pragma once

#include "store/place.h"
#include "store/sqlite/database.h"

#include <memory>
#include <mutex>

namespace wattproof::store {

struct WriteAccess {
    std::shared_ptr<Place> place;
    std::unique_ptr<sqlite::Database> database;  // read-only where the workspace is
    std::mutex mutex;

    // Runs `change` in one transaction that does not wait for a running import longer than for one of its batches.
    template <class Change>
    Status write(Change change) {
        const std::lock_guard lock(mutex);
        if (place->mode() != OpenMode::ReadWrite)
            return failure("the workspace is open read-only", place->path(),
                           "save it under another name to change it");
        place->gate.enterAsEdit();
        const WriteGate::Pass pass(place->gate);
        sqlite::Transaction transaction(*database);
        if (!transaction.begun())
            return transaction.begun();
        if (Status status = change(*database); !status)
            return status;
        Status status = transaction.commit();
        if (status)
            ++place->revision;
        return status;
    }
};

}  // namespace wattproof::store
