// Runs a decoder on a thread of its own, a few blocks ahead of whoever reads: reading, hashing and decompressing then
// overlap with parsing.
#pragma once

#include "importers/input/decoder.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace wattproof::importers {

class ReadAhead {
public:
    // Both belong to the thread until atEnd() or stop().
    ReadAhead(Decoder &decoder, const RawBytes &raw);
    ~ReadAhead();
    ReadAhead(const ReadAhead &) = delete;
    ReadAhead &operator=(const ReadAhead &) = delete;

    // As Decoder::read.
    [[nodiscard]] Expected<std::size_t> read(std::span<char> buffer);
    // Bytes of the file on disk behind what was handed out.
    [[nodiscard]] std::uint64_t consumed() const { return consumed_; }
    // Whether everything was handed out, or an error.
    [[nodiscard]] bool atEnd() const { return ended_; }
    // What was read and not handed out is lost.
    void stop();

private:
    static constexpr std::size_t kBlocks = 4, kBlockBytes = std::size_t{512} << 10U;

    struct Block {
        std::vector<char> bytes;
        std::size_t size = 0;
        std::uint64_t consumed = 0;  // of the file on disk, with this block
        std::optional<Error> error;
    };

    void work(const std::stop_token &stop);
    void fill(Block &block);
    [[nodiscard]] Status takeBlock();

    Decoder &decoder_;
    const RawBytes &raw_;

    // Blocks go round: the thread fills what was handed out.
    std::array<Block, kBlocks> blocks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t filled_ = 0, taken_ = 0;  // blocks, ever

    // Of the reader.
    Block *current_ = nullptr;
    std::size_t at_ = 0;
    std::uint64_t consumed_ = 0;
    bool ended_ = false;

    std::jthread thread_;  // last: starts when everything else stands
};

}  // namespace wattproof::importers
