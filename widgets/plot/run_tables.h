// The small tables of a workspace, read once and shared by all panes of a session.
#pragma once

#include "report/draw/hatch.h"
#include "store/rows.h"
#include "widgets/session.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <QObject>

namespace wattproof::widgets {

struct RunTables {
    std::vector<SourceRow> sources;
    std::vector<DeviceRow> devices;
    std::vector<ProcessRow> processes;
    std::vector<ThreadRow> threads;
    std::vector<TrackRow> tracks;
    std::vector<CounterRow> counters;
    std::vector<store::NameClass> classes;
    std::vector<WarningRow> warnings;
    std::vector<draw::ClampMark> clamps;  // of the last analysis, by time
    store::MainPart mainPart;
    std::string error;  // why the tables could not be read; empty: all well

    [[nodiscard]] const DeviceRow *device(DeviceId) const;
    [[nodiscard]] const SourceRow *source(SourceId) const;
};

class RunData : public QObject {
    Q_OBJECT

public:
    // The one of a session; made on first use.
    [[nodiscard]] static RunData *of(Session *);

    [[nodiscard]] const RunTables &tables() const { return *tables_; }
    [[nodiscard]] std::shared_ptr<const RunTables> shared() const { return tables_; }
    [[nodiscard]] bool loaded() const { return loaded_; }

signals:
    void changed();

private:
    explicit RunData(Session *);
    void reload();

    Session *session_;
    std::shared_ptr<const RunTables> tables_ = std::make_shared<RunTables>();
    bool loaded_ = false;
};

// Reads everything; the first error ends it and stands in `error`.
[[nodiscard]] RunTables readTables(store::Reader &, store::Workspace &);

}  // namespace wattproof::widgets
