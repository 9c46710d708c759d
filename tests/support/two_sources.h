// Workspaces of two sources that hold every kind of row, and what their tables and views show: for the tests of what
// goes and what stays when a source is taken out or read anew.
#pragma once

#include "store/analysis_store.h"
#include "store/bulk_writer.h"
#include "store/edits.h"
#include "store/workspace.h"

#include <QMap>
#include <QStringList>

namespace wattproof::test {

inline constexpr Ns kBase = 1'700'000'000'000'000'000;
inline constexpr Ns kLater = kBase + 50;

// A trace with every kind of row; `count` slices, each with arguments and a launch, and an arrow between neighbours.
SourceId addTrace(store::BulkWriter &, const std::string &name, Ns base, int count);
// A power log whose counter speaks of `device`.
SourceId addLog(store::BulkWriter &, DeviceId device);
void bothTraces(store::BulkWriter &);
void traceAndLog(store::BulkWriter &);

[[nodiscard]] QMap<QString, QStringList> viewsOf(const std::string &path);
// The tables of one source's rows; names and shapes of arguments are shared.
[[nodiscard]] QMap<QString, QStringList> rowsOf(const std::string &path);

void storeAnalysis(store::Workspace &);
[[nodiscard]] store::Annotation noteOn(TrackId, Ns ts);
[[nodiscard]] store::Alignment moved(SourceId, Ns offset);

}  // namespace wattproof::test
