// Where the rows of an import go: through prepared statements into a workspace that is open, or as pages into one that
// is being made.
#pragma once

#include "store/pages/loader.h"
#include "store/writer/inserts.h"

#include <cstdint>
#include <map>
#include <string>

namespace wattproof::store {

// A table whose rows are numbered in ascending order.
struct RowTable {
    const char *name;
    const char *insert;  // the statement for one row, the id first
};

// Appends rows to one table.
class RowAppender {
public:
    RowAppender(const RowTable &table, sqlite::Statement &statement) : table_(table), statement_(&statement) {}
    RowAppender(const RowTable &table, pages::TableBuilder &builder, const pages::Loader &loader)
        : table_(table), builder_(&builder), loader_(&loader) {}

    // The columns behind the id, in the table's order. False on failure.
    template <class... Values>
    [[nodiscard]] bool append(std::int64_t id, const Values &...values) {
        if (statement_ != nullptr)
            return statement_->bindAll(id, values...).run();
        record_.fill(values...);
        inOrder_ = builder_->append(id, record_);
        return inOrder_ && loader_->status().has_value();
    }
    [[nodiscard]] Status status() const {
        if (statement_ != nullptr)
            return statement_->status();
        if (!inOrder_)
            return failure(std::string("rows of ") + table_.name + " were written out of order");
        return loader_->status();
    }

private:
    const RowTable &table_;
    sqlite::Statement *statement_ = nullptr;
    pages::TableBuilder *builder_ = nullptr;
    const pages::Loader *loader_ = nullptr;
    pages::Record record_;
    bool inOrder_ = true;
};

// Entries of an index. A prepared statement makes them along with the row; pages need them told.
class IndexAppender {
public:
    explicit IndexAppender(pages::IndexBuilder *builder) : builder_(builder) {}
    template <class Key>
    void append(Key key, std::int64_t rowId) {
        if (builder_ != nullptr && key.valid())
            builder_->add(key.value, rowId);
        else if (builder_ != nullptr)
            builder_->leaveToSqlite();
    }

private:
    pages::IndexBuilder *builder_;
};

class RowTarget {
public:
    explicit RowTarget(Inserts &inserts) : inserts_(&inserts) {}
    explicit RowTarget(pages::Loader &loader) : loader_(&loader) {}

    // `table` outlives the appender.
    [[nodiscard]] Expected<RowAppender> rows(const RowTable &table) {
        if (loader_ != nullptr) {
            if (pages::TableBuilder *builder = loader_->table(table.name))
                return RowAppender(table, *builder, *loader_);
            return failure(std::string("the workspace has no table ") + table.name);
        }
        auto statement = inserts_->prepared(table.insert);
        if (!statement)
            return passOn(statement);
        return RowAppender(table, **statement);
    }

    [[nodiscard]] IndexAppender index(const char *name) {
        return IndexAppender(loader_ != nullptr ? loader_->index(name) : nullptr);
    }

private:
    Inserts *inserts_ = nullptr;
    pages::Loader *loader_ = nullptr;
};

}  // namespace wattproof::store
