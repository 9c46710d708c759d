#include "widgets/plot/run_tables.h"

#include <algorithm>

namespace wattproof::widgets {
namespace {

// Moves a result into its place; false and the sentence where it failed.
template <class T>
bool take(Expected<T> result, T &into, std::string &error) {
    if (result)
        into = std::move(*result);
    else
        error = result.error().sentence();
    return result.has_value();
}

template <class Row, class RowId>
const Row *find(const std::vector<Row> &rows, RowId id) {
    const auto found = std::find_if(rows.begin(), rows.end(), [id](const Row &row) { return row.id == id; });
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const DeviceRow *RunTables::device(DeviceId id) const {
    return find(devices, id);
}

const SourceRow *RunTables::source(SourceId id) const {
    return find(sources, id);
}

RunTables readTables(store::Reader &reader, store::Workspace &workspace) {
    RunTables t;
    std::vector<store::ClampRow> clamps;
    if (take(reader.sources(), t.sources, t.error) && take(reader.devices(), t.devices, t.error) &&
        take(reader.processes(), t.processes, t.error) && take(reader.threads(), t.threads, t.error) &&
        take(reader.tracks(), t.tracks, t.error) && take(reader.counters(), t.counters, t.error) &&
        take(reader.classesOfNames(), t.classes, t.error) && take(reader.warnings(), t.warnings, t.error) &&
        take(reader.mainPart(), t.mainPart, t.error) &&
        take(workspace.analysisStore().clamps(), clamps, t.error))
        t.clamps = draw::clampMarks(clamps);
    return t;
}

RunData *RunData::of(Session *session) {
    if (auto *existing = session->findChild<RunData *>(QString(), Qt::FindDirectChildrenOnly))
        return existing;
    return new RunData(session);
}

RunData::RunData(Session *session) : QObject(session), session_(session) {
    connect(session, &Session::dataChanged, this, &RunData::reload);
    connect(session, &Session::analysisChanged, this, &RunData::reload);
    reload();
}

void RunData::reload() {
    session_->queries().ask(
        this, "plot/tables",
        [workspace = session_->sharedWorkspace()](store::Reader &reader, std::stop_token) {
            return readTables(reader, *workspace);
        },
        [this](RunTables tables) {
            tables_ = std::make_shared<const RunTables>(std::move(tables));
            loaded_ = true;
            emit changed();
        });
}

}  // namespace wattproof::widgets
