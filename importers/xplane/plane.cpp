#include "importers/xplane/plane.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <protozero/pbf_reader.hpp>

namespace wattproof::importers::xplane {
namespace {

constexpr std::size_t kSpoolInMemory = std::size_t{8} << 20U;
constexpr std::size_t kWindow = std::size_t{256} << 10U;
constexpr std::size_t kHeader = sizeof(std::uint64_t) + sizeof(std::uint32_t);

std::string_view nameOf(const Plane &plane, std::int64_t id) {
    const auto found = plane.statNames.find(id);
    return found == plane.statNames.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view textOf(protozero::data_view view) {
    return {view.data(), view.size()};
}

void setText(Stat &stat, std::string_view text, Stat::Kind kind) {
    stat.kind = kind;
    stat.text = text;
}

void readValue(protozero::pbf_reader &reader, const Plane &plane, Stat &stat) {
    const auto field = static_cast<int>(reader.tag());
    if (field == 2 && reader.wire_type() == protozero::pbf_wire_type::fixed64) {
        stat.kind = Stat::Kind::Real;
        stat.real = reader.get_double();
    } else if (field == 3 && reader.wire_type() == protozero::pbf_wire_type::varint) {
        stat.kind = Stat::Kind::Natural;
        stat.natural = reader.get_uint64();
    } else if (field == 4 && reader.wire_type() == protozero::pbf_wire_type::varint) {
        stat.kind = Stat::Kind::Integer;
        stat.integer = reader.get_int64();
    } else if ((field == 5 || field == 6) && reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
        setText(stat, textOf(reader.get_view()), field == 5 ? Stat::Kind::Text : Stat::Kind::Bytes);
    } else if (field == 7 && reader.wire_type() == protozero::pbf_wire_type::varint) {
        setText(stat, nameOf(plane, static_cast<std::int64_t>(reader.get_uint64())), Stat::Kind::Text);
    } else {
        reader.skip();
    }
}

}  // namespace

Status EventSpool::append(std::string_view event, std::uint64_t fileOffset) {
    const auto length = static_cast<std::uint32_t>(event.size());
    std::array<char, kHeader> header{};
    std::memcpy(header.data(), &fileOffset, sizeof fileOffset);
    std::memcpy(header.data() + sizeof fileOffset, &length, sizeof length);
    buffer_.append(header.data(), header.size()).append(event);
    if (buffer_.size() < kSpoolInMemory)
        return {};
    auto status = file_.append(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
    return status;
}

Status EventSpool::read(std::uint64_t from, std::span<char> bytes) const {
    const std::uint64_t inFile = file_.size();
    std::size_t fromFile = 0;
    if (from < inFile) {
        fromFile = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), inFile - from));
        if (auto status = file_.read(from, std::as_writable_bytes(bytes.first(fromFile))); !status)
            return status;
    }
    const std::span<char> rest = bytes.subspan(fromFile);
    buffer_.copy(rest.data(), rest.size(), static_cast<std::size_t>(from + fromFile - inFile));
    return {};
}

// At least `bytes` from at_ on, if the line has them.
bool EventSpool::Reader::window(std::size_t bytes) {
    if (window_.size() - at_ >= bytes)
        return true;
    window_.erase(0, at_);
    at_ = 0;
    const std::size_t had = window_.size();
    const std::uint64_t left = end_ - next_;
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max(kWindow, bytes)));
    window_.resize(had + more);
    status_ = spool_.read(next_, std::span(window_).subspan(had));
    next_ += more;
    return status_.has_value() && window_.size() >= bytes;
}

bool EventSpool::Reader::next(std::string_view &event, std::uint64_t &fileOffset) {
    if (!window(kHeader))
        return false;
    std::uint32_t length = 0;
    std::memcpy(&fileOffset, window_.data() + at_, sizeof fileOffset);
    std::memcpy(&length, window_.data() + at_ + sizeof fileOffset, sizeof length);
    if (!window(kHeader + length))
        return false;
    event = std::string_view(window_).substr(at_ + kHeader, length);
    at_ += kHeader + length;
    return true;
}

std::optional<std::int64_t> Stat::whole() const {
    if (kind == Kind::Integer)
        return integer;
    return kind == Kind::Natural ? std::optional(static_cast<std::int64_t>(natural)) : std::nullopt;
}

std::optional<double> Stat::number() const {
    if (kind == Kind::Real)
        return real;
    if (kind == Kind::Natural)
        return static_cast<double>(natural);
    return kind == Kind::Integer ? std::optional(static_cast<double>(integer)) : std::nullopt;
}

std::optional<Stat> readStat(std::string_view message, const Plane &plane) {
    Stat stat;
    try {
        protozero::pbf_reader reader(message.data(), message.size());
        while (reader.next()) {
            if (reader.tag() == 1 && reader.wire_type() == protozero::pbf_wire_type::varint)
                stat.key = nameOf(plane, reader.get_int64());
            else
                readValue(reader, plane, stat);
        }
    } catch (const protozero::exception &) {
        return std::nullopt;
    }
    return stat.key.empty() ? std::nullopt : std::optional(stat);
}

}  // namespace wattproof::importers::xplane
