// The kernel events that are shown, and which of their fields are kept until all events are in order.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wattproof::importers::ftrace {

enum class Kind : std::uint8_t {
    Unknown,
    SchedSwitch,
    SchedSwitchCompact,  // who leaves is who ran on that processor
    SchedWaking,
    SchedBlockedReason,
    SchedProcessExit,
    TaskState,
    TaskNewTask,
    TaskRename,
    CpuFrequency,
    CpuFrequencyLimits,
    CpuIdle,
    Temperature,
    CoolingDevice,
    SuspendResume,
    GpuFrequency,
    GpuMemory,
    RssStat,
    ClockRate,
    BlockIssue,
    BlockComplete,
    SyscallEnter,
    SyscallExit,
    KprobeMark,
    FunctionEntry,
    FunctionExit,
    IrqEntry,
    IrqExit,
    SoftIrqEntry,
    SoftIrqExit,
    WorkStart,
    WorkEnd,
    JobSubmit,
    JobRun,
    JobDone,
    Mark,         // user-space annotations; fields as Mark* below
    Sample,       // a counter value that is complete already
    ProcessInfo,  // not kernel events: what a process list in the file says at its time
    ThreadInfo
};

inline constexpr std::size_t kNumbers = 6, kTexts = 2;

struct KindSpec {
    std::string_view name;  // of the kernel's event
    Kind kind = Kind::Unknown;
    std::array<std::string_view, kNumbers> numbers{};
    std::array<std::string_view, kTexts> texts{};
};

// Null for events that are only counted. Several kernel names may share a kind.
[[nodiscard]] const KindSpec *specOf(std::string_view eventName);

// Places of numbers and texts in a record, by kind, as the table in kinds.cpp lists them.
namespace at {
inline constexpr std::size_t kPrevPid = 0, kPrevPrio = 1, kPrevState = 2, kNextPid = 3,
                             kNextPrio = 4;  // SchedSwitch
inline constexpr std::size_t kPrevComm = 0, kNextComm = 1;
inline constexpr std::size_t kPid = 0, kSecond = 1, kThird = 2;
inline constexpr std::size_t kMarkPhase = 0, kMarkPid = 1, kMarkCookie = 2,
                             kMarkValue = 3;  // value: bits of a double
inline constexpr std::size_t kName = 0, kTrack = 1;
}  // namespace at

}  // namespace wattproof::importers::ftrace
