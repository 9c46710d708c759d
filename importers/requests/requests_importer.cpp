#include "importers/requests/requests_importer.h"

#include "importers/requests/json_log.h"
#include "importers/requests/log_run.h"
#include "importers/requests/recognise_log.h"
#include "importers/requests/table_log.h"
#include "importers/requests/text_log.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

using requests::LogRules;
using requests::LogRun;
using requests::Shape;

Status readShape(LogRun &run) {
    switch (run.rules().shape) {
        case Shape::Table:
            return requests::readTable(run);
        case Shape::List:
            return requests::readList(run);
        case Shape::Object:
            return requests::readObject(run);
        case Shape::Columns:
            return requests::readColumns(run);
        default:
            return requests::readText(run);
    }
}

class LogImporter final : public Importer {
public:
    LogImporter(const char *name, SourceKind kind) : name_(name), kind_(kind) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] SourceKind kind() const override { return kind_; }
    [[nodiscard]] bool reads(std::string_view format) const override {
        const std::vector<std::string> all = formats();
        return format == name_ || std::find(all.begin(), all.end(), format) != all.end();
    }

    [[nodiscard]] std::vector<std::string> formats() const override {
        std::vector<std::string> names;
        if (const auto all = requests::loadLogRules())
            for (const LogRules &rules : *all)
                if (rules.kind == kind_ && std::find(names.begin(), names.end(), rules.format) == names.end())
                    names.push_back(rules.format);
        return names;
    }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view) const override {
        const auto all = requests::loadLogRules();
        const LogRules *rules = all ? requests::findRules(head, *all, kind_, "") : nullptr;
        return rules ? rules->confidence : 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &options,
                                           const Task &task) const override {
        auto all = requests::loadLogRules();
        if (!all)
            return passOn(all);
        std::optional<LogRules> given;
        if (!options.descriptorJson.empty()) {
            auto parsed = requests::parseLogRules(options.descriptorJson, "the given descriptor");
            if (!parsed)
                return passOn(parsed);
            given = std::move(*parsed);
        }
        const std::string format = options.format == name_ ? std::string() : options.format;
        const LogRules *rules = given ? &*given : requests::findRules(input.head(), *all, kind_, format);
        if (!rules)
            return failure(
                "the file is no log of " +
                    std::string(kind_ == SourceKind::Quality ? "quality results" : "requests") +
                    (format.empty() ? std::string(" that is known") : " in the format \"" + format + "\""),
                input.path(), "give a descriptor that names its columns (docs/formats.md)");
        return requests::importLog(input, writer, options, task, *rules);
    }

private:
    const char *name_;
    SourceKind kind_;
};

}  // namespace

Expected<Summary> requests::importLog(Input &input, store::BulkWriter &writer, const Options &options,
                                      const Task &task, const LogRules &rules) {
    LogRun run(input, writer, options, task, rules);
    Status status = run.begin();
    if (status)
        status = readShape(run);
    if (!status)
        return passOn(status);
    return run.finish("the file holds neither requests nor figures");
}

std::unique_ptr<Importer> makeRequestsImporter() {
    return std::make_unique<LogImporter>("requests-log", SourceKind::Requests);
}

std::unique_ptr<Importer> makeQualityImporter() {
    return std::make_unique<LogImporter>("quality-log", SourceKind::Quality);
}

}  // namespace wattproof::importers
