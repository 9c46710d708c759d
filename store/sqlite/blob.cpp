#include "store/sqlite/blob.h"

#include <sqlite3.h>

namespace wattproof::store::sqlite {

Blob::Blob(const Database &database, std::string table, std::string column)
    : database_(database), table_(std::move(table)), column_(std::move(column)) {}

Blob::~Blob() {
    sqlite3_blob_close(handle_);
}

Status Blob::open(std::int64_t rowId) {
    const int result = handle_ == nullptr ? sqlite3_blob_open(database_.handle(), "main", table_.c_str(),
                                                              column_.c_str(), rowId, 0, &handle_)
                                          : sqlite3_blob_reopen(handle_, rowId);
    if (result == SQLITE_OK)
        return {};
    // A handle that found no row cannot be used again.
    sqlite3_blob_close(handle_);
    handle_ = nullptr;
    if (result == SQLITE_ERROR)
        return wattproof::failure("the workspace is damaged: a row is missing", database_.path(),
                                  "import its sources again");
    return database_.failure(result);
}

std::size_t Blob::size() const {
    return static_cast<std::size_t>(sqlite3_blob_bytes(handle_));
}

Status Blob::read(std::span<std::byte> into, std::size_t offset) const {
    const int result =
        sqlite3_blob_read(handle_, into.data(), static_cast<int>(into.size()), static_cast<int>(offset));
    if (result != SQLITE_OK)
        return database_.failure(result);
    return {};
}

}  // namespace wattproof::store::sqlite
