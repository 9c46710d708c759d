#include "importers/wishes.h"

#include "importers/session.h"
#include "importers/table/quantity_text.h"

#include <filesystem>

namespace wattproof::importers {
namespace {

constexpr const char *kFormat = "import.format", *kTimezone = "import.timezone",
                     *kDescriptor = "import.descriptor", *kRange = "import.range_s", *kPeriod = "import.period_s",
                     *kCategories = "import.categories";
constexpr const char *kMaxGap = "max_gap_s";  // written by the importer of power logs, for readers

std::string fileName(const std::string &path) {
    return std::filesystem::path(path).filename().string();
}

Status take(Options &options, const std::string &key, const std::string &value) {
    if (key == kFormat)
        options.format = value;
    else if (key == kTimezone)
        options.timezone = value;
    else if (key == kDescriptor)
        options.descriptorJson = value;
    else if (key == kCategories)
        options.part.categories = categoriesFromText(value);
    else if (const auto number = parseNumber(value, false); number && (key == kMaxGap || key == kPeriod))
        (key == kMaxGap ? options.maxGapSeconds : options.periodSeconds) = number->value;
    if (key != kRange)
        return {};
    auto range = rangeFromText(value);
    if (!range)
        return passOn(range);
    options.part.range = *range;
    return {};
}

}  // namespace

Options optionsOf(const Options &all, const std::string &path) {
    Options options = all;
    const auto own = all.files.find(path);
    if (own == all.files.end())
        return options;
    const FileChoice &choice = own->second;
    if (!choice.format.empty() || !choice.descriptorJson.empty()) {
        options.format = choice.format;
        options.descriptorJson = choice.descriptorJson;
        options.isFirm = true;
    }
    if (!choice.zone.empty())
        options.timezone = choice.zone;
    return options;
}

std::vector<std::pair<std::string, std::string>> wishesOf(const Options &options, SourceKind kind) {
    std::vector<std::pair<std::string, std::string>> wishes;
    const auto add = [&wishes](const char *key, const std::string &value) {
        if (!value.empty())
            wishes.emplace_back(key, value);
    };
    add(kFormat, options.format);
    add(kTimezone, options.timezone);
    add(kDescriptor, options.descriptorJson);
    if (options.periodSeconds && kind == SourceKind::Power)
        add(kPeriod, shortNumber(*options.periodSeconds));
    if (kind != SourceKind::Trace)
        return wishes;
    add(kRange, options.part.range ? textOf(*options.part.range) : std::string());
    add(kCategories, textOf(options.part.categories));
    return wishes;
}

Expected<Options> optionsOf(store::Reader &reader, SourceId source) {
    auto metadata = reader.metadata();
    if (!metadata)
        return passOn(metadata);
    Options options;
    for (const MetadataRow &row : *metadata)
        if (row.source == source)
            if (Status status = take(options, row.key, row.value); !status)
                return passOn(status);
    return options;
}

Expected<SourceRow> findSource(store::Reader &reader, const std::string &idOrPath) {
    auto sources = reader.sources();
    if (!sources)
        return passOn(sources);
    std::vector<SourceRow> named;
    for (const SourceRow &source : *sources) {
        if (source.path == idOrPath || std::to_string(source.id.value) == idOrPath)
            return source;
        if (fileName(source.path) == idOrPath)
            named.push_back(source);
    }
    if (named.size() == 1)
        return named.front();
    return failure(named.empty() ? "the workspace has no such source" : "several sources have this name", idOrPath,
                   "give its number, which `wattproof sources` lists");
}

Expected<std::string> fileOf(const store::Workspace &workspace, const SourceRow &source) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::exists(source.path, ignored))
        return source.path;
    const fs::path beside = fs::path(workspace.path()).parent_path() / source.path;
    if (fs::path(source.path).is_relative() && fs::exists(beside, ignored))
        return beside.string();
    return failure("the file is no longer where it was", source.path, "say where it is now");
}

}  // namespace wattproof::importers
