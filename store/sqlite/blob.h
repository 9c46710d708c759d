// Parts of the blobs of one table, read without bringing in the rest of the row. No SQL lives here.
#pragma once

#include "store/sqlite/database.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

struct sqlite3_blob;

namespace wattproof::store::sqlite {

// While it lives, and after the first open(), the connection holds a read transaction.
class Blob {
public:
    Blob(const Database &database, std::string table, std::string column);
    ~Blob();
    Blob(const Blob &) = delete;
    Blob &operator=(const Blob &) = delete;

    // Moves to the row of this id. Fails when there is none.
    [[nodiscard]] Status open(std::int64_t rowId);
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] Status read(std::span<std::byte> into, std::size_t offset) const;

private:
    const Database &database_;
    std::string table_, column_;
    sqlite3_blob *handle_ = nullptr;
};

}  // namespace wattproof::store::sqlite
