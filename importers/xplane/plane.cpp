#include "importers/xplane/plane.h"

#include <protozero/pbf_reader.hpp>

namespace wattproof::importers::xplane {
namespace {

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
