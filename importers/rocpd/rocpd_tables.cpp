#include "importers/rocpd/rocpd_export.h"

#include <algorithm>

namespace wattproof::importers::rocpd {
namespace {

constexpr std::string_view kTellingTable = "rocpd_kernel_dispatch";
constexpr std::string_view kOtherTable = "rocpd_region";

std::string programOf(std::string_view command) {
    const std::string_view first = command.substr(0, command.find(' '));
    return std::string(first.substr(first.find_last_of('/') + 1));
}

}  // namespace

bool RocpdExport::fits(const store::ForeignDatabase &database) {
    return std::any_of(database.tables().begin(), database.tables().end(), [](const auto &table) {
        return table.first.starts_with(kTellingTable) || table.first.starts_with(kOtherTable);
    });
}

RocpdExport::RocpdExport(const store::ForeignDatabase &database, ProfileRun &run)
    : tables_(database, run), run_(run) {
    for (const auto &[table, columns] : database.tables())
        for (const std::string_view known : {kTellingTable, kOtherTable})
            if (table.starts_with(known)) {
                const std::string suffix = table.substr(known.size());
                if (std::find(suffixes_.begin(), suffixes_.end(), suffix) == suffixes_.end())
                    suffixes_.push_back(suffix);
            }
}

std::uint32_t RocpdExport::runOf(const std::string &guid) {
    return runs_.try_emplace(guid, static_cast<std::uint32_t>(runs_.size())).first->second;
}

Status RocpdExport::read(const std::string &table, std::initializer_list<std::string_view> columns,
                         const Take &take) {
    const std::size_t guid = columns.size() - 1;
    for (const std::string &suffix : suffixes_) {
        auto status = tables_.read(table + suffix, columns, [&](const ExportRow &row) {
            take(row, runOf(row.text(guid).empty() ? suffix : std::string(row.text(guid))));
        });
        if (!status)
            return status;
    }
    return {};
}

Status RocpdExport::loadNames() {
    auto status = read("rocpd_string", {"id", "string", "guid"}, [&](const ExportRow &row, std::uint32_t run) {
        strings_.add({run, row.wholeOr(0, 0)}, std::string(row.text(1)));
    });
    strings_.settle();
    if (!status)
        return status;
    status = read("rocpd_info_kernel_symbol", {"id", "display_name", "kernel_name", "guid"},
                  [&](const ExportRow &row, std::uint32_t run) {
                      const std::string_view name = row.text(row.text(1).empty() ? 2 : 1);
                      if (!name.empty())
                          kernels_.add({run, row.wholeOr(0, 0)}, std::string(name));
                  });
    kernels_.settle();
    return status;
}

// Of a process its program only: arguments may hold secrets.
Status RocpdExport::loadPlaces() {
    auto status =
        read("rocpd_info_process", {"id", "pid", "command", "guid"}, [&](const ExportRow &row, std::uint32_t run) {
            processes_.add({run, row.wholeOr(0, 0)}, {row.wholeOr(1, 0), programOf(row.text(2))});
        });
    processes_.settle();
    if (!status)
        return status;
    status =
        read("rocpd_info_thread", {"id", "tid", "name", "guid"}, [&](const ExportRow &row, std::uint32_t run) {
            threads_.add({run, row.wholeOr(0, 0)}, {row.wholeOr(1, 0), std::string(row.text(2))});
        });
    threads_.settle();
    if (!status)
        return status;
    status = read("rocpd_track", {"id", "pid", "tid", "agent_id", "queue_id", "stream_id", "guid"},
                  [&](const ExportRow &row, std::uint32_t run) {
                      tracks_.add({run, row.wholeOr(0, 0)},
                                  {row.wholeOr(1, 0), row.wholeOr(2, 0), row.wholeOr(3, 0), row.wholeOr(4, 0),
                                   row.wholeOr(5, 0), row.has(4), row.has(5)});
                  });
    tracks_.settle();
    return status;
}

// Each machine counts its GPUs from 0: those of another machine than the first bear its name.
Status RocpdExport::loadAgents() {
    IdTable<std::string> hosts;
    auto status = read("rocpd_info_node", {"id", "hostname", "system_name", "release", "guid"},
                       [&](const ExportRow &row, std::uint32_t run) {
                           hosts.add({run, row.wholeOr(0, 0)}, std::string(row.text(1)));
                           run_.metadata("hostname", row.text(1));
                           run_.metadata("os", std::string(row.text(2)) + " " + std::string(row.text(3)));
                           if (firstHost_.empty())
                               firstHost_ = row.text(1);
                       });
    hosts.settle();
    if (!status)
        return status;
    status = read("rocpd_info_agent", {"id", "nid", "type", "type_index", "product_name", "name", "guid"},
                  [&](const ExportRow &row, std::uint32_t run) {
                      const std::string *host = hosts.find({run, row.wholeOr(1, 0)});
                      Agent agent;
                      agent.row.kind = row.text(2) == "CPU" ? DeviceKind::Cpu : DeviceKind::Gpu;
                      agent.row.model = row.text(row.text(4).empty() ? 5 : 4);
                      agent.row.host = host ? *host : std::string();
                      const std::string index = std::to_string(row.wholeOr(3, row.wholeOr(0, 0)));
                      const bool other = host && *host != firstHost_;
                      const std::string word = agent.row.kind == DeviceKind::Cpu ? "CPU " : "GPU ";
                      agent.row.name = word + index + (other ? " of " + *host : "");
                      agent.row.nativeId = agent.row.kind == DeviceKind::Cpu ? "cpu " + index : index;
                      if (other)
                          agent.row.nativeId = *host + "/" + agent.row.nativeId;
                      agents_.add({run, row.wholeOr(0, 0)}, std::move(agent));
                  });
    agents_.settle();
    return status;
}

Status RocpdExport::loadEvents() {
    auto status = read("rocpd_event", {"id", "category_id", "stack_id", "guid"},
                       [&](const ExportRow &row, std::uint32_t run) {
                           events_.add({run, row.wholeOr(0, 0)}, {row.wholeOr(1, 0), row.wholeOr(2, 0)});
                       });
    events_.settle();
    if (!status)
        return status;
    status = read("rocpd_timestamp", {"id", "value", "guid"}, [&](const ExportRow &row, std::uint32_t run) {
        if (const auto value = row.whole(1))
            timestamps_.add({run, row.wholeOr(0, 0)}, *value);
    });
    timestamps_.settle();
    return status;
}

Status RocpdExport::metadata() {
    return read("rocpd_metadata", {"tag", "value", "guid"}, [&](const ExportRow &row, std::uint32_t) {
        if (row.text(0) == "schema_version")
            run_.metadata("schema_version", row.text(1).substr(0, 64));
    });
}

std::string_view RocpdExport::text(GlobalId id) const {
    const std::string *found = strings_.find(id);
    return found ? std::string_view(*found) : std::string_view();
}

}  // namespace wattproof::importers::rocpd
