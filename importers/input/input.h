// Bytes of one input file, compression removed, through a small reused buffer. Never maps or loads the whole file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "store/result.h"
#include "store/task.h"

namespace wattproof::importers {

class Input {
public:
    // Opens a regular file (a FIFO, folder or unreadable file is one clear sentence). gzip (several members), zstd, xz, bzip2
    // and zip (its first trace-like member) are removed whatever the name says; UTF-16 becomes UTF-8.
    [[nodiscard]] static Expected<std::unique_ptr<Input>> open(const std::string &path);
    [[nodiscard]] static std::unique_ptr<Input> fromBytes(std::string bytes, std::string name);   // tests, fuzzing

    virtual ~Input() = default;

    [[nodiscard]] virtual const std::string &path() const = 0;
    // The first bytes (up to 64 KiB, decompressed) without consuming them: for probes.
    [[nodiscard]] virtual std::span<const char> head() = 0;
    // Fills as much of `buffer` as there is; 0 at the end. A stream that is damaged or cut gives what was whole, then 0, and
    // sets damage().
    [[nodiscard]] virtual Expected<std::size_t> read(std::span<char> buffer) = 0;
    // Non-empty when the compressed stream was cut or damaged: a sentence for the truncated_input warning.
    [[nodiscard]] virtual const std::string &damage() const = 0;

    [[nodiscard]] virtual std::uint64_t sizeBytes() const = 0;      // of the file as it stands on disk
    [[nodiscard]] virtual std::uint64_t bytesConsumed() const = 0;  // of the file on disk: drives progress
    [[nodiscard]] virtual std::uint64_t position() const = 0;       // decompressed bytes handed out: positions in warnings
    // SHA-256 of the file on disk, hex; computed along while reading, completed (by reading the rest) on this call.
    [[nodiscard]] virtual Expected<std::string> sha256() = 0;
};

}  // namespace wattproof::importers
