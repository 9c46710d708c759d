#include "importers/look/look.h"

#include "importers/look/preview_writer.h"
#include "importers/power/descriptor.h"
#include "importers/power/table_guess.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace wattproof::importers {
namespace {

constexpr std::size_t kTableHead = std::size_t{64} << 10U;

struct Head {
    std::string bytes;
    bool isWhole = false;
    std::uint64_t consumed = 0;  // of the file on disk
};

// Of a file that is not compressed it is known to the byte how far was read, of others only as far as its reader went.
bool isPlain(const std::string &path, const std::string &head) {
    std::array<char, 64> first{};
    std::ifstream in(path, std::ios::binary);
    in.read(first.data(), first.size());
    return in && head.starts_with(std::string_view(first.data(), first.size()));
}

// Decompressed, up to the last whole line where the file goes on.
Expected<Head> readHead(Input &input, std::size_t most, const Task &task) {
    constexpr std::size_t kStep = std::size_t{256} << 10U;
    Head head;
    while (head.bytes.size() < most) {
        if (task.cancelled())
            return cancelled();
        const std::size_t before = head.bytes.size();
        head.bytes.resize(before + std::min(kStep, most - before));
        auto got = input.read({head.bytes.data() + before, head.bytes.size() - before});
        if (!got)
            return passOn(got);
        head.bytes.resize(before + *got);
        if (*got == 0) {
            head.isWhole = true;
            break;
        }
    }
    if (!head.isWhole) {
        char next = 0;
        const auto got = input.read({&next, 1});
        head.isWhole = got && *got == 0;
    }
    head.consumed = isPlain(input.path(), head.bytes) ? head.bytes.size() : input.bytesConsumed();
    if (!head.isWhole)
        if (const std::size_t end = head.bytes.rfind('\n'); end != std::string::npos)
            head.bytes.resize(end + 1);
    return head;
}

// What a look that ends early says of the end is not true of the file; of a trace little else is certain.
void dropWarningsOfTheCut(FileLook &look) {
    if (look.kind == SourceKind::Trace)
        return look.warnings.clear();
    std::erase_if(look.warnings, [](const WarningRow &warning) { return warning.kind == "truncated_input"; });
}

void extrapolate(FileLook &look) {
    if (look.share >= 1)
        return;
    dropWarningsOfTheCut(look);
    const auto whole = [&look](std::int64_t n) {
        return static_cast<std::int64_t>(static_cast<double>(n) / look.share);
    };
    if (look.span)
        look.span->end = look.span->begin + whole(look.span->length());
    for (std::int64_t *count : {&look.slices, &look.samples, &look.requests})
        *count = whole(*count);
}

Status readInto(FileLook &look, Input &input, const Importer &importer, const Options &options, const Task &task) {
    auto head = readHead(input, importer.kind() == SourceKind::Trace ? kLookedAtTrace : kLookedAtLog, task);
    if (!head)
        return passOn(head);
    if (!head->isWhole)
        look.share = std::min(1.0, static_cast<double>(head->consumed) /
                                       static_cast<double>(std::max<std::uint64_t>(look.bytes, 1)));
    const bool table = guessTable(std::string_view(head->bytes).substr(0, kTableHead), nullptr).has_value();
    look.isTable = table && importer.kind() != SourceKind::Trace;
    const auto part = Input::fromBytes(std::move(head->bytes), look.path);
    PreviewWriter writer;
    const auto summary = importer.import(*part, writer, options, task);
    if (summary) {
        writer.describe(look);
        look.format = summary->format;
        look.warnings = summary->warnings;
        look.detailed = true;
        if (!input.damage().empty())
            look.warnings.push_back({{}, "truncated_input", 1, {}, input.damage()});
        extrapolate(look);
        return {};
    }
    if (isCancelled(summary.error()))
        return tl::unexpected<Error>(summary.error());
    // A database or an archive in an archive cannot be read from its head; the import will tell.
    if (head->isWhole || importer.kind() != SourceKind::Trace)
        look.error = summary.error().sentence();
    look.isTable = table && !look.readable();
    return {};
}

}  // namespace

Expected<FileLook> lookAt(const std::string &path, const Options &all, const Task &task) {
    FileLook look;
    look.path = path;
    auto input = Input::open(path);
    if (!input) {
        look.error = input.error().sentence();
        return look;
    }
    look.bytes = (*input)->sizeBytes();
    Options options = optionsOf(all, path);
    options.part = {};
    look.zoneGiven = !options.timezone.empty();
    auto importer = recognise(**input, options);
    if (!importer) {
        const std::span<const char> head = (*input)->head();
        look.error = importer.error().sentence();
        look.isTable = guessTable({head.data(), head.size()}, nullptr).has_value();
        return look;
    }
    look.kind = (*importer)->kind();
    look.format = (*importer)->name();
    if (Status status = readInto(look, **input, **importer, options, task); !status) {
        if (isCancelled(status.error()))
            return passOn(status);
        look.error = status.error().sentence();
    }
    return look;
}

std::vector<FormatName> formatsByHand() {
    std::vector<FormatName> formats;
    std::set<std::string> taken;
    const auto add = [&](const std::string &format, const std::string &title) {
        if (taken.insert(format).second)
            formats.push_back({format, title});
    };
    for (const auto &importer : registry())
        for (const std::string &format : importer->formats())
            if (format.find(' ') == std::string::npos && importer->reads(format))
                add(format, {});
    if (const auto resources = loadPowerResources())
        for (const Descriptor &descriptor : resources->descriptors)
            add(descriptor.format, descriptor.title);
    return formats;
}

}  // namespace wattproof::importers
