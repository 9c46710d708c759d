// What other ways of reading the same file cost, in the same run on the same machine: the yardstick of the import.
#pragma once

#include <cstdint>
#include <string>

namespace wattproof::bench {

// Bytes read through a small buffer: the floor.
[[nodiscard]] std::int64_t readOnly(const std::string &path);
// nlohmann_json's SAX parser with a handler that only counts objects of depth two (the events).
[[nodiscard]] std::int64_t saxPass(const std::string &path);
// simdjson on-demand over a reused buffer, visiting every value. Knows that the generator writes an event a line.
[[nodiscard]] std::int64_t simdjsonPass(const std::string &path);
// Writes `path` again as `compressed`, with gzip's usual level. False when that cannot be done.
[[nodiscard]] bool writeGzip(const std::string &path, const std::string &compressed);
// zlib's inflate alone: lines that came out.
[[nodiscard]] std::int64_t inflatePass(const std::string &compressed);
// `rows` rows of seven integers into a new SQLite file, one transaction, no journal.
[[nodiscard]] std::int64_t sqliteInserts(const std::string &path, std::int64_t rows);

}  // namespace wattproof::bench
