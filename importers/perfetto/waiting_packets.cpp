#include "importers/perfetto/waiting_packets.h"

#include <cstring>

namespace wattproof::importers::perfetto {
namespace {

static_assert(std::is_trivially_copyable_v<WaitingPackets::Note>);

}  // namespace

Status WaitingPackets::push(Note note, std::string_view bytes, const std::shared_ptr<const SequenceState> &state) {
    if (states_.empty() || states_.back() != state)
        states_.push_back(state);
    note.state = static_cast<std::uint32_t>(states_.size() - 1);
    note.size = bytes.size();
    const auto *const head = reinterpret_cast<const char *>(&note);
    tail_.insert(tail_.end(), head, head + sizeof note);
    tail_.insert(tail_.end(), bytes.begin(), bytes.end());
    ++count_;
    if (tail_.size() < kInMemory)
        return {};
    auto status = file_->append(std::as_bytes(std::span(tail_)));
    tail_.clear();
    return status;
}

Expected<std::size_t> WaitingPackets::replayBytes(std::string_view bytes, const Replay &replay) {
    std::size_t at = 0;
    while (bytes.size() - at >= sizeof(Note)) {
        Note note;
        std::memcpy(&note, bytes.data() + at, sizeof note);
        if (note.size > bytes.size() - at - sizeof note)
            break;
        if (auto status = replay(note, bytes.substr(at + sizeof note, note.size)); !status)
            return passOn(status);
        at += sizeof note + note.size;
    }
    return at;
}

Status WaitingPackets::replayFile(const SpillFile &file, const Replay &replay) const {
    std::vector<char> window;
    std::size_t kept = 0;
    for (std::uint64_t at = 0; at < file.size();) {
        // A packet may be larger than the window: it then grows to what the file has.
        const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(file.size() - at, kInMemory));
        window.resize(kept + step);
        if (auto status = file.read(at, std::as_writable_bytes(std::span(window).subspan(kept))); !status)
            return status;
        at += step;
        auto used = replayBytes({window.data(), window.size()}, replay);
        if (!used)
            return passOn(used);
        kept = window.size() - *used;
        std::memmove(window.data(), window.data() + *used, kept);
    }
    return {};
}

Status WaitingPackets::replay(const Replay &replay) {
    const std::vector<char> tail = std::move(tail_);
    const auto file = std::move(file_);
    tail_.clear();
    file_ = std::make_unique<SpillFile>();
    count_ = 0;
    if (auto status = replayFile(*file, replay); !status)
        return status;
    auto used = replayBytes({tail.data(), tail.size()}, replay);
    return used ? Status{} : passOn(used);
}

}  // namespace wattproof::importers::perfetto
