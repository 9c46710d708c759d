#include "importers/ftrace/kernel_trace.h"

#include "importers/ftrace/atrace.h"
#include "importers/ftrace/kernel_counters.h"
#include "importers/ftrace/kernel_slices.h"
#include "importers/ftrace/sched.h"
#include "importers/trace/record_sorter.h"
#include "importers/trace/time_crowd.h"

#include <bit>
#include <limits>

namespace wattproof::importers::ftrace {
namespace {

constexpr std::int64_t kMostCpus = 4096;
constexpr std::uint64_t kRecordsPerReport = 1U << 16U;

bool fits(std::int64_t id) {
    return id >= 0 && id <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

struct KernelTrace::Impl {
    Tracks &tracks;
    TraceBuilder &builder;
    RecordSorter<Record> records;
    Texts texts;
    Threads threads;
    Scene scene;
    Sched sched;
    KernelCounters counters;
    KernelSlices slices;
    Ns shift = 0, start = std::numeric_limits<Ns>::min();
    std::int64_t events = 0;
    std::int64_t early = 0;  // left out since they are from before `start`
    std::uint64_t earlyOffset = 0;
    std::map<std::string, std::int64_t, std::less<>> notShown;

    Impl(Tracks &t, TraceBuilder &b, std::size_t budget)
        : tracks(t),
          builder(b),
          records(budget),
          texts(t.writer()),
          threads(t.writer(), t.source()),
          scene{t, b, threads, texts},
          sched(scene),
          counters(scene),
          slices(scene) {}

    void countOnly(std::string_view name);
    [[nodiscard]] static bool header(const FtraceEvent &, Record &);
    [[nodiscard]] bool fill(const FtraceEvent &, const KindSpec &, Record &);
    [[nodiscard]] bool fillMark(const Mark &, Record &);
    void takeMark(std::string_view text, Record);
    void malformed(std::uint64_t offset);
    void replay(const Record &);
    void replayThreads(const Record &);
    void replayCounters(const Record &);
    void replaySlices(const Record &);
    void countEarly(const Record &);
    void writeCounts();
};

KernelTrace::KernelTrace(Tracks &tracks, TraceBuilder &builder, std::size_t memoryBudget)
    : impl_(std::make_unique<Impl>(tracks, builder, memoryBudget)) {}

KernelTrace::~KernelTrace() = default;

Threads &KernelTrace::threads() {
    return impl_->threads;
}

std::int64_t KernelTrace::events() const {
    return impl_->events;
}

void KernelTrace::setMachine(std::string machine) {
    impl_->slices.setMachine(std::move(machine));
}

void KernelTrace::setShift(Ns shift) {
    impl_->shift = shift;
}

void KernelTrace::setStart(Ns ts) {
    impl_->start = ts;
}

void KernelTrace::Impl::malformed(std::uint64_t offset) {
    builder.warn("malformed_event", "Kernel events whose fields cannot be read were left out.", {offset});
}

void KernelTrace::Impl::countOnly(std::string_view name) {
    const auto found = notShown.find(name);
    if (found != notShown.end())
        ++found->second;
    else if (notShown.size() < 1000)
        notShown.emplace(texts.get(texts.put(name)), 1);
}

bool KernelTrace::Impl::header(const FtraceEvent &event, Record &record) {
    if (!fits(event.tid) || !fits(event.tgid) || event.cpu >= kMostCpus || event.ts < -kLargestTime ||
        event.ts > kLargestTime)
        return false;
    record.cpu = static_cast<std::int16_t>(event.cpu);
    record.tid = static_cast<std::int32_t>(event.tid);
    record.tgid = static_cast<std::int32_t>(event.tgid);
    record.ts = event.ts;
    record.offset = event.offset;
    return true;
}

bool KernelTrace::Impl::fillMark(const Mark &mark, Record &record) {
    if (!fits(mark.pid))
        return false;
    record.kind = Kind::Mark;
    record.numbers = {mark.phase, mark.pid, mark.cookie, std::bit_cast<std::int64_t>(mark.value)};
    record.texts[at::kName] = texts.put(mark.name);
    record.texts[at::kTrack] = texts.put(mark.track);
    return true;
}

// Fields that are absent are 0, as protocol buffers leave them out.
bool KernelTrace::Impl::fill(const FtraceEvent &event, const KindSpec &spec, Record &record) {
    record.kind = spec.kind;
    for (std::size_t i = 0; i < kNumbers && !spec.numbers[i].empty(); ++i)
        record.numbers[i] = event.number(spec.numbers[i]).value_or(0);
    for (std::size_t i = 0; i < kTexts && !spec.texts[i].empty(); ++i)
        record.texts[i] = texts.put(event.text(spec.texts[i]));
    if (spec.kind == Kind::SchedSwitch || spec.kind == Kind::SchedSwitchCompact) {
        const Field *state = event.find("prev_state");
        const EndState end = !state          ? EndState::Runnable
                             : state->isText ? endStateOfText(state->text)
                                             : endStateOfBits(state->number);
        record.numbers[at::kPrevState] = static_cast<std::int64_t>(end);
        return fits(record.numbers[at::kPrevPid]) && fits(record.numbers[at::kNextPid]) && record.cpu >= 0;
    }
    const bool names = spec.kind == Kind::SchedWaking || spec.kind == Kind::TaskState;
    return fits(record.numbers[0]) || !names;
}

// Kernel drivers write annotations of their own, field by field.
std::optional<Mark> markOfFields(const FtraceEvent &event) {
    Mark mark;
    mark.name = event.text("trace_name");
    mark.pid = event.number("pid").value_or(0);
    if (const auto begins = event.number("trace_begin"))
        mark.phase = *begins != 0 ? 'B' : 'E';
    else
        mark.phase = static_cast<char>(event.number("trace_type").value_or(0));
    mark.value = static_cast<double>(event.number("value").value_or(0));
    const bool shown = mark.phase == 'B' || mark.phase == 'E' || mark.phase == 'C';
    return shown ? std::optional(mark) : std::nullopt;
}

void KernelTrace::take(const FtraceEvent &event) {
    Impl &impl = *impl_;
    ++impl.events;
    Record record;
    if (!impl.header(event, record))
        return impl.malformed(event.offset);
    record.comm = impl.texts.put(event.comm);
    const std::string_view text = event.text("buf");
    const bool isMark = event.name == "print" || event.find("trace_name");
    const KindSpec *spec = isMark ? nullptr : specOf(event.name);
    if (!isMark && !spec)
        return impl.countOnly(event.name);
    const auto mark = !isMark ? std::nullopt : event.name == "print" ? parseMark(text) : markOfFields(event);
    if (isMark && !mark)
        return parseClockSync(text) ? void() : impl.countOnly("print");
    if (mark ? impl.fillMark(*mark, record) : impl.fill(event, *spec, record))
        return impl.records.push(record);
    impl.malformed(event.offset);
}

void KernelTrace::processInfo(Ns ts, std::int64_t pid, std::int64_t parent, std::string_view name,
                              std::uint64_t offset, std::optional<Ns> start) {
    if (!fits(pid))
        return;
    Record record;
    record.kind = Kind::ProcessInfo;
    record.ts = std::max(ts, -kLargestTime);
    record.offset = offset;
    record.numbers = {pid, parent, start.value_or(-1)};
    record.texts[at::kName] = impl_->texts.put(name);
    impl_->records.push(record);
}

void KernelTrace::threadInfo(Ns ts, std::int64_t tid, std::int64_t tgid, std::string_view name,
                             std::uint64_t offset) {
    if (!fits(tid) || !fits(tgid))
        return;
    Record record;
    record.kind = Kind::ThreadInfo;
    record.ts = ts;
    record.offset = offset;
    record.numbers = {tid, tgid};
    record.texts[at::kName] = impl_->texts.put(name);
    impl_->records.push(record);
}

void KernelTrace::sample(Ns ts, std::int64_t pid, std::string_view name, std::string_view unit, double value,
                         std::uint64_t offset) {
    if (!fits(pid) && pid >= 0)
        return;
    Record record;
    record.kind = Kind::Sample;
    record.ts = ts;
    record.offset = offset;
    record.numbers = {pid, std::bit_cast<std::int64_t>(value)};
    record.texts = {impl_->texts.put(name), impl_->texts.put(unit)};
    impl_->records.push(record);
}

void KernelTrace::Impl::replayThreads(const Record &record) {
    constexpr std::int64_t kSharesProcess = 0x10000;  // CLONE_THREAD
    const std::string_view name = texts.get(record.texts[at::kName]);
    switch (record.kind) {
        case Kind::ProcessInfo:
            threads.describe(record.numbers[0], record.numbers[1], name, record.numbers[2]);
            static_cast<void>(threads.thread(record.numbers[0], record.numbers[0]));
            return;
        case Kind::ThreadInfo:
            return threads.rename(threads.thread(record.numbers[0], record.numbers[1]), name);
        case Kind::TaskNewTask: {
            Thread *const creator = record.tid == 0 ? nullptr : &threads.thread(record.tid, record.tgid);
            threads.started(record.numbers[0], name, creator, (record.numbers[1] & kSharesProcess) != 0);
            return;
        }
        case Kind::TaskRename: {
            const std::int64_t tid = record.numbers[0] != 0 ? record.numbers[0] : record.tid;
            return threads.rename(threads.thread(tid), name);
        }
        default:
            return;
    }
}

void KernelTrace::Impl::replayCounters(const Record &record) {
    switch (record.kind) {
        case Kind::CpuFrequency:
            return counters.cpuFrequency(record);
        case Kind::CpuFrequencyLimits:
            return counters.cpuFrequencyLimits(record);
        case Kind::CpuIdle:
            return counters.cpuIdle(record);
        case Kind::Temperature:
            return counters.temperature(record);
        case Kind::CoolingDevice:
            return counters.coolingDevice(record);
        case Kind::GpuFrequency:
            return counters.gpuFrequency(record);
        case Kind::GpuMemory:
            return counters.gpuMemory(record);
        case Kind::RssStat:
            return counters.residentMemory(record);
        case Kind::ClockRate:
            return counters.clockRate(record);
        case Kind::Sample:
            return counters.sample(record);
        default:
            return replaySlices(record);
    }
}

void KernelTrace::Impl::replaySlices(const Record &record) {
    switch (record.kind) {
        case Kind::Mark:
            return record.numbers[at::kMarkPhase] == 'C' ? counters.mark(record) : slices.mark(record);
        case Kind::SyscallEnter:
        case Kind::SyscallExit:
            return slices.syscall(record);
        case Kind::KprobeMark:
            return slices.kprobe(record);
        case Kind::FunctionEntry:
        case Kind::FunctionExit:
            return slices.function(record);
        case Kind::IrqEntry:
        case Kind::IrqExit:
        case Kind::SoftIrqEntry:
        case Kind::SoftIrqExit:
            return slices.interrupt(record);
        case Kind::WorkStart:
        case Kind::WorkEnd:
            return slices.work(record);
        case Kind::SuspendResume:
            return slices.suspend(record);
        case Kind::BlockIssue:
        case Kind::BlockComplete:
            return slices.block(record);
        case Kind::JobSubmit:
        case Kind::JobRun:
        case Kind::JobDone:
            return slices.job(record);
        default:
            return;
    }
}

void KernelTrace::Impl::countEarly(const Record &record) {
    switch (record.kind) {
        case Kind::ProcessInfo:
        case Kind::ThreadInfo:
        case Kind::TaskNewTask:
        case Kind::TaskRename:
            return;
        default:
            earlyOffset = early++ == 0 ? record.offset : earlyOffset;
    }
}

void KernelTrace::Impl::replay(const Record &record) {
    if (record.tid != 0 && (record.tgid != 0 || record.comm != 0)) {
        Thread &thread = threads.thread(record.tid, record.tgid);
        if (thread.row.name.empty())
            threads.rename(thread, texts.get(record.comm));
    }
    replayThreads(record);
    if (record.ts < start)
        return countEarly(record);
    switch (record.kind) {
        case Kind::SchedSwitch:
        case Kind::SchedSwitchCompact:
            return sched.switched(record);
        case Kind::SchedWaking:
            return sched.waking(record);
        case Kind::SchedBlockedReason:
            return sched.blockedReason(record);
        case Kind::TaskState:
            return sched.stated(record);
        default:
            return replayCounters(record);
    }
}

void KernelTrace::Impl::writeCounts() {
    std::int64_t total = 0;
    std::string names;
    for (const auto &[name, count] : notShown) {
        tracks.writer().addMetadata({tracks.source(), "ftrace.not_shown." + name, std::to_string(count)});
        total += count;
        if (names.size() < 200)
            names += (names.empty() ? "" : ", ") + name;
    }
    if (early > 0)
        builder.warn(
            "before_start",
            "Kernel events from before tracing started, or from before the place from which the buffers of "
            "all processors are whole, were left out.",
            {earlyOffset}, early);
    if (total > 0)
        builder.warn("kernel_events_not_shown",
                     "Kernel events of kinds that are counted but not shown (" + names +
                         "); their numbers are in the metadata.",
                     {}, total);
}

Status KernelTrace::finish(const Task &task) {
    Impl &impl = *impl_;
    if (auto status = impl.records.seal(task.stop); !status)
        return status;
    std::uint64_t done = 0;
    for (const Record *next = impl.records.peek(); next; next = impl.records.peek()) {
        Record record = *next;
        if (__builtin_add_overflow(record.ts, impl.shift, &record.ts))
            record.ts = next->ts;
        impl.replay(record);
        impl.records.pop();
        if (++done % kRecordsPerReport != 0)
            continue;
        task.report({"Ordering kernel events", done, impl.records.size(), "events"});
    }
    if (!impl.records.status())
        return impl.records.status();
    impl.sched.finish();
    impl.slices.finish();
    impl.threads.write();
    impl.writeCounts();
    return {};
}

}  // namespace wattproof::importers::ftrace
