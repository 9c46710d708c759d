// Reads one plane from the file: names and statistics into memory, events into the spool.
#pragma once

#include "importers/profile/record_spool.h"
#include "importers/profile/run.h"
#include "importers/xplane/plane.h"
#include "importers/xplane/wire_stream.h"

namespace wattproof::importers::xplane {

class PlaneReader {
public:
    PlaneReader(WireStream &stream, ProfileRun &run) : stream_(stream), run_(run) {}

    // The stream stands at a plane's bytes field. What is whole of a damaged plane is kept.
    [[nodiscard]] Status read(Plane &, RecordSpool &);

private:
    [[nodiscard]] Status line(Plane &, RecordSpool &);
    [[nodiscard]] Status event(RecordSpool &, const WireField &);
    [[nodiscard]] std::pair<std::int64_t, EventKind> entry();
    void kindFields(EventKind &, std::int64_t &id);
    void keepStat(std::vector<std::string> &stats);
    void text(std::string &, std::size_t limit);

    WireStream &stream_;
    ProfileRun &run_;
    std::uint64_t events_ = 0;
};

}  // namespace wattproof::importers::xplane
