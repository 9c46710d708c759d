// The bytes of a file as they stand on disk (or of a string), hashed as they go by.
#pragma once

#include "store/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace wattproof::importers {

class RawBytes {
public:
    [[nodiscard]] static Expected<std::unique_ptr<RawBytes>> open(const std::string &path);
    [[nodiscard]] static std::unique_ptr<RawBytes> inMemory(std::string bytes);

    virtual ~RawBytes();
    RawBytes(const RawBytes &) = delete;
    RawBytes &operator=(const RawBytes &) = delete;

    // The first bytes, without consuming them; how many there are.
    [[nodiscard]] virtual std::size_t peek(std::span<char> buffer) const = 0;
    [[nodiscard]] Expected<std::size_t> read(std::span<char> buffer);
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    [[nodiscard]] std::uint64_t consumed() const { return consumed_; }
    // Non-empty when the file was not the same at the end as when it was opened.
    [[nodiscard]] const std::string &damage() const { return damage_; }
    // Hex; reads what is left.
    [[nodiscard]] Expected<std::string> sha256();

protected:
    RawBytes();
    [[nodiscard]] virtual Expected<std::size_t> fetch(std::span<char> buffer) = 0;

    std::string damage_;

private:
    struct Hash;
    std::unique_ptr<Hash> hash_;
    std::uint64_t consumed_ = 0;
    std::string digest_;
};

}  // namespace wattproof::importers
