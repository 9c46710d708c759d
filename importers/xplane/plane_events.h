// Turns a plane that was read into devices, streams, threads and their events.
#pragma once

#include "importers/profile/record_spool.h"
#include "importers/profile/run.h"
#include "importers/xplane/plane.h"

#include <map>
#include <string>
#include <vector>

namespace wattproof::importers::xplane {

// What the planes of one file say together.
struct FileFacts {
    std::optional<Ns> profileStart;  // epoch ns
    std::vector<std::string> devicesWithoutEvents;
    std::map<std::string, CounterId> memory;  // allocated bytes by allocator
};

class PlaneEvents {
public:
    PlaneEvents(const Plane &, const RecordSpool &, ProfileRun &, FileFacts &);

    [[nodiscard]] Status write();

private:
    enum class Role : std::uint8_t { HostThread, GpuStream, DeviceRange };
    struct Event;

    void metadata();
    void beginDevice();
    [[nodiscard]] Role roleOf(const Line &) const;
    [[nodiscard]] TrackId trackOf(const Line &, Role);
    [[nodiscard]] Status line(const Line &);
    [[nodiscard]] bool read(std::string_view message, Event &) const;
    [[nodiscard]] bool place(const Line &, Event &);
    void stats(Event &);
    static void notice(const Stat &, Event &);
    static void noticeFlow(const Stat &, Event &);
    void emit(const Line &, Role, TrackId, Event &);
    void hostEvent(Event &);
    void gpuEvent(const Line &, Event &);
    [[nodiscard]] GpuOpRow operation(const Line &, const Event &) const;
    void flows(const Event &);
    void flow(const Event &, std::uint64_t key, bool in, bool out);
    void memorySample(const Event &);

    const Plane &plane_;
    const RecordSpool &spool_;
    ProfileRun &run_;
    FileFacts &facts_;
    DeviceId device_;
    ProcessId process_;
    bool isGpu_ = false;
    std::uint64_t events_ = 0;
};

}  // namespace wattproof::importers::xplane
