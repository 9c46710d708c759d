#include "importers/ftrace/kinds.h"

#include <unordered_map>

namespace wattproof::importers::ftrace {
namespace {

// Field names as the kernel's formats and the text lines have them.
constexpr KindSpec kSpecs[] = {
    {"sched_switch",
     Kind::SchedSwitch,
     {"prev_pid", "prev_prio", "prev_state", "next_pid", "next_prio"},
     {"prev_comm", "next_comm"}},
    {"sched_switch_compact",
     Kind::SchedSwitchCompact,
     {"prev_pid", "prev_prio", "prev_state", "next_pid", "next_prio"},
     {"prev_comm", "next_comm"}},
    {"sched_waking", Kind::SchedWaking, {"pid", "prio", "target_cpu"}, {"comm"}},
    {"sched_wakeup", Kind::SchedWaking, {"pid", "prio", "target_cpu"}, {"comm"}},
    {"sched_wakeup_new", Kind::SchedWaking, {"pid", "prio", "target_cpu"}, {"comm"}},
    {"sched_blocked_reason", Kind::SchedBlockedReason, {"pid", "io_wait"}, {}},
    {"sched_process_exit", Kind::SchedProcessExit, {"pid", "tgid"}, {"comm"}},
    {"task_state", Kind::TaskState, {"tid", "state", "prio", "cpu"}, {"comm"}},
    {"task_newtask", Kind::TaskNewTask, {"pid", "clone_flags"}, {"comm"}},
    {"task_rename", Kind::TaskRename, {"pid"}, {"newcomm", "oldcomm"}},
    {"cpu_frequency", Kind::CpuFrequency, {"cpu_id", "state"}, {}},
    {"cpu_frequency_limits", Kind::CpuFrequencyLimits, {"cpu_id", "min_freq", "max_freq"}, {}},
    {"cpu_idle", Kind::CpuIdle, {"cpu_id", "state"}, {}},
    {"thermal_temperature", Kind::Temperature, {"id", "temp"}, {"thermal_zone"}},
    {"cdev_update", Kind::CoolingDevice, {"target"}, {"type"}},
    {"suspend_resume", Kind::SuspendResume, {"val", "start"}, {"action"}},
    {"gpu_frequency", Kind::GpuFrequency, {"gpu_id", "state"}, {}},
    {"gpu_mem_total", Kind::GpuMemory, {"gpu_id", "pid", "size"}, {}},
    {"rss_stat", Kind::RssStat, {"member", "size", "curr", "mm_id"}, {}},
    {"clock_set_rate", Kind::ClockRate, {"state", "cpu_id"}, {"name"}},
    {"block_rq_issue", Kind::BlockIssue, {"dev", "sector", "nr_sector", "bytes"}, {"rwbs"}},
    {"block_rq_complete", Kind::BlockComplete, {"dev", "sector", "nr_sector", "error"}, {"rwbs"}},
    {"block_io_start", Kind::BlockIssue, {"dev", "sector", "nr_sector", "bytes"}, {"rwbs"}},
    {"block_io_done", Kind::BlockComplete, {"dev", "sector", "nr_sector", "bytes"}, {"rwbs"}},
    {"sys_enter", Kind::SyscallEnter, {"id"}, {}},
    {"sys_exit", Kind::SyscallExit, {"id", "ret"}, {}},
    {"kprobe_event", Kind::KprobeMark, {"type"}, {"name"}},
    {"funcgraph_entry", Kind::FunctionEntry, {"depth"}, {"func"}},
    {"funcgraph_exit", Kind::FunctionExit, {"depth"}, {"func"}},
    {"irq_handler_entry", Kind::IrqEntry, {"irq"}, {"name"}},
    {"irq_handler_exit", Kind::IrqExit, {"irq", "ret"}, {}},
    {"softirq_entry", Kind::SoftIrqEntry, {"vec"}, {"action"}},
    {"softirq_exit", Kind::SoftIrqExit, {"vec"}, {}},
    {"workqueue_execute_start", Kind::WorkStart, {"work"}, {"function"}},
    {"workqueue_execute_end", Kind::WorkEnd, {"work"}, {}},
    {"drm_sched_job", Kind::JobSubmit, {"id", "entity", "job_count", "hw_job_count", "fence"}, {"name"}},
    {"drm_run_job", Kind::JobRun, {"id", "entity", "job_count", "hw_job_count", "fence"}, {"name"}},
    {"drm_sched_process_job", Kind::JobDone, {"fence"}, {}},
};

}  // namespace

const KindSpec *specOf(std::string_view eventName) {
    static const auto table = [] {
        std::unordered_map<std::string_view, const KindSpec *> all;
        for (const KindSpec &spec : kSpecs)
            all.emplace(spec.name, &spec);
        return all;
    }();
    const auto found = table.find(eventName);
    return found == table.end() ? nullptr : found->second;
}

}  // namespace wattproof::importers::ftrace
