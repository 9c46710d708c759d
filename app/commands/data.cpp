// info and query: what is in a workspace.
#include <cstdio>
#include <cstdlib>
#include <limits>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/console.h"
#include "app/json_documents.h"
#include "report/report.h"

namespace wattproof::app {
namespace {

using nlohmann::json;

Expected<std::unique_ptr<store::Reader>> openReader(const std::string &path, std::shared_ptr<store::Workspace> &workspace) {
    auto opened = store::Workspace::open(path, true);
    if (!opened)
        return passOn(opened);
    workspace = std::move(*opened);
    return workspace->reader();
}

void printInfo(const json &info) {
    std::vector<std::vector<std::string>> rows;
    for (const json &s : info["sources"])
        rows.push_back({s["id"].dump(), s["kind"], s["format"], s["path"], report::quantity(s["size_bytes"].get<double>(), "B"),
                        std::string(s["clock"]) + (s["simulated"].get<bool>() ? ", simulated" : "")});
    std::fputs(textTable({"source", "kind", "format", "path", "size", "clock"}, rows).c_str(), stdout);
    rows.clear();
    for (const json &d : info["devices"])
        rows.push_back({d["id"].dump(), d["kind"], d["name"], d["model"]});
    std::printf("\n%s", textTable({"device", "kind", "name", "model"}, rows).c_str());
    const auto lengthOf = [&info](const char *range) {
        return report::duration(info[range][1].get<Ns>() - info[range][0].get<Ns>());
    };
    const std::string main = info["events_outside_main"] == 0 ? "" : ", its main part " + lengthOf("main_ns");
    std::printf("\n%lld slices on %lld tracks, %lld counters, %s%s\n", info["slices"].get<long long>(),
                info["tracks"].get<long long>(), static_cast<long long>(info["counters"].size()),
                lengthOf("extent_ns").c_str(), main.c_str());
    const auto countOf = [&info](const char *key) { return info[key].get<std::int64_t>(); };
    const std::string counts = countsText(
        {countOf("requests"), countOf("failed_requests"), countOf("untimed_requests"), countOf("quality_metrics")});
    if (!counts.empty())
        std::printf("%s\n", counts.c_str());
    for (const json &w : info["warnings"])
        std::printf("warning %s × %s: %s\n", w["kind"].get<std::string>().c_str(), w["count"].dump().c_str(),
                    w["message"].get<std::string>().c_str());
}

json cellJson(const std::string &text, int type) {
    switch (type) {
    case store::kNull: return nullptr;
    case store::kInteger: return std::strtoll(text.c_str(), nullptr, 10);
    case store::kFloat: return std::strtod(text.c_str(), nullptr);
    default: return text;
    }
}

json resultJson(const store::QueryResult &result) {
    json rows = json::array();
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
        json row = json::array();
        for (std::size_t j = 0; j < result.rows[i].size(); ++j)
            row.push_back(cellJson(result.rows[i][j], result.types[i][j]));
        rows.push_back(std::move(row));
    }
    return {{"schema_version", kDocumentVersion}, {"columns", result.columns}, {"rows", rows}, {"truncated", result.truncated}};
}

void printResult(const store::QueryResult &result, const std::string &format) {
    if (format == "json") {
        std::puts(resultJson(result).dump(2, ' ', false, json::error_handler_t::replace).c_str());
    } else if (format == "csv") {
        std::fputs(csvLine(result.columns).c_str(), stdout);
        for (const auto &row : result.rows)
            std::fputs(csvLine(row).c_str(), stdout);
    } else {
        std::vector<bool> right(result.columns.size(), false);
        for (std::size_t i = 0; i < right.size() && !result.types.empty(); ++i)
            right[i] = result.types.front()[i] == store::kInteger || result.types.front()[i] == store::kFloat;
        std::fputs(textTable(result.columns, result.rows, right).c_str(), stdout);
    }
}

}  // namespace

ExitCode infoCommand(const std::string &path, bool asJson) {
    std::shared_ptr<store::Workspace> workspace;
    auto reader = openReader(path, workspace);
    if (!reader)
        return fail(reader.error());
    auto info = infoJson(**reader, path);
    if (!info)
        return fail(info.error());
    if (asJson)
        std::puts(info->dump(2, ' ', false, json::error_handler_t::replace).c_str());
    else
        printInfo(*info);
    return kOk;
}

ExitCode queryCommand(const QueryArguments &arguments, const Task &task) {
    std::shared_ptr<store::Workspace> workspace;
    auto reader = openReader(arguments.workspace, workspace);
    if (!reader)
        return fail(reader.error());
    const std::int64_t limit = arguments.limit > 0 ? arguments.limit : std::numeric_limits<std::int64_t>::max();
    auto result = (*reader)->query(arguments.sql, limit, {}, task.stop);
    if (!result)
        return fail(result.error());
    printResult(*result, arguments.format);
    if (result->truncated)
        std::fprintf(stderr, "wattproof: only the first %lld rows are shown\n", static_cast<long long>(arguments.limit));
    return kOk;
}

}  // namespace wattproof::app
