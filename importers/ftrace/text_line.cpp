#include "importers/ftrace/text_line.h"

#include "importers/table/quantity_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace wattproof::importers::ftrace {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view takeWord(std::string_view &text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

bool isDigits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool isName(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

std::optional<std::int64_t> hexNumber(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

// What the kernel prints in hexadecimal without saying so.
bool isHexadecimal(std::string_view key) {
    return key == "clone_flags" || key == "fence" || key == "entity" || key == "work";
}

// Keys that the printed form shortens, by their name in the event's format.
std::string_view fullKey(std::string_view key) {
    constexpr std::pair<std::string_view, std::string_view> kShort[] = {
        {"iowait", "io_wait"}, {"min", "min_freq"}, {"max", "max_freq"}, {"ring", "name"}, {"NR", "id"}};
    for (const auto &[brief, full] : kShort)
        if (key == brief)
            return full;
    return key;
}

// "comm:pid [prio]" as trace-cmd prints tasks: the pid is behind the last colon.
bool takeTask(std::string_view &text, std::string_view &comm, std::int64_t &pid, std::int64_t &priority) {
    const std::size_t open = text.find(" [");
    const std::size_t close = open == std::string_view::npos ? open : text.find(']', open);
    if (close == std::string_view::npos)
        return false;
    const std::string_view task = trimmed(text.substr(0, open));
    const std::size_t colon = task.rfind(':');
    const auto number = colon == std::string_view::npos ? std::nullopt : wholeNumber(task.substr(colon + 1));
    if (!number)
        return false;
    comm = task.substr(0, colon);
    pid = *number;
    priority = wholeNumber(text.substr(open + 2, close - open - 2)).value_or(0);
    text = trimmed(text.substr(close + 1));
    return true;
}

}  // namespace

bool LineParser::parseTask(std::string_view left, FtraceEvent &event) {
    left = trimmed(left);
    event.tgid = 0;
    if (left.ends_with(')')) {
        const std::size_t open = left.rfind('(');
        if (open == std::string_view::npos)
            return false;
        event.tgid = wholeNumber(trimmed(left.substr(open + 1, left.size() - open - 2))).value_or(0);
        left = trimmed(left.substr(0, open));
    }
    const std::size_t dash = left.rfind('-');
    if (dash == std::string_view::npos || !isDigits(left.substr(dash + 1)))
        return false;
    const auto tid = wholeNumber(left.substr(dash + 1));
    event.tid = tid.value_or(-1);
    event.comm = trimmed(left.substr(0, dash));
    if (event.comm == "<...>" || event.comm == "<idle>")
        event.comm = {};
    return tid.has_value();
}

bool LineParser::parseEvent(std::string_view right, FtraceEvent &event) {
    std::string_view stamp = takeWord(right);
    if (!stamp.ends_with(':'))
        stamp = takeWord(right);
    if (!stamp.ends_with(':') || stamp.find('.') == std::string_view::npos)
        return false;
    const auto ns = decimalToInteger(stamp.substr(0, stamp.size() - 1), 9);
    if (!ns)
        return false;
    event.ts = *ns;
    right = trimmed(right);
    const std::size_t end = std::min(right.find_first_of(":( "), right.size());
    event.name = right.substr(0, end);
    right.remove_prefix(std::min(end + (end < right.size() && right[end] == ':' ? 1U : 0U), right.size()));
    parseFields(event.name, trimmed(right), event);
    return !event.name.empty();
}

bool LineParser::parse(std::string_view line, FtraceEvent &event) {
    event.clear();
    for (std::size_t open = line.find('['); open != std::string_view::npos; open = line.find('[', open + 1)) {
        const std::size_t close = line.find(']', open);
        if (close == std::string_view::npos)
            return false;
        const std::string_view cpu = line.substr(open + 1, close - open - 1);
        if (!isDigits(cpu) || cpu.size() > 5 || !parseTask(line.substr(0, open), event))
            continue;
        event.cpu = static_cast<std::int32_t>(wholeNumber(cpu).value_or(-1));
        if (parseEvent(line.substr(close + 1), event))
            return true;
    }
    return false;
}

void LineParser::parseFields(std::string_view name, std::string_view rest, FtraceEvent &event) {
    if (name == "tracing_mark_write" || name == "0" || name == "print" || name == "bprint" || name == "bputs") {
        event.name = "print";
        event.addText("buf", rest);
    } else if (!addUnkeyed(name, rest, event)) {
        addPairs(rest, event);
    }
}

void LineParser::addPair(std::string_view key, std::string_view value, FtraceEvent &event) {
    value = trimmed(value);
    if (value.ends_with("==>"))
        value = trimmed(value.substr(0, value.size() - 3));
    if (value.ends_with(',') || value.ends_with(']'))
        value.remove_suffix(1);
    key = fullKey(key);
    if (isHexadecimal(key))
        if (const auto number = hexNumber(value.starts_with("0x") ? value.substr(2) : value))
            return event.add(key, *number);
    if (key == "size" && value.ends_with('B'))
        value.remove_suffix(1);
    if (key == "type" && value.starts_with("MM_"))
        return event.add("member", value == "MM_FILEPAGES"    ? 0
                                   : value == "MM_ANONPAGES"  ? 1
                                   : value == "MM_SWAPENTS"   ? 2
                                   : value == "MM_SHMEMPAGES" ? 3
                                                              : -1);
    event.addText(key, value);
}

// key=value …; a value runs to the next word that is "name=".
void LineParser::addPairs(std::string_view rest, FtraceEvent &event) {
    std::string_view key;
    std::size_t valueAt = 0;
    for (std::size_t at = 0; at < rest.size();) {
        const std::size_t end = std::min(rest.find(' ', at), rest.size());
        std::string_view word = rest.substr(at, end - at);
        const std::size_t skipped = word.starts_with('[') ? 1 : 0;
        const std::size_t equals = word.find('=');
        if (equals != std::string_view::npos && isName(word.substr(skipped, equals - skipped))) {
            if (!key.empty())
                addPair(key, rest.substr(valueAt, at - valueAt), event);
            key = word.substr(skipped, equals - skipped);
            valueAt = at + equals + 1;
        }
        at = end + 1;
    }
    if (!key.empty())
        addPair(key, rest.substr(std::min(valueAt, rest.size())), event);
}

bool LineParser::addBriefSwitch(std::string_view rest, FtraceEvent &event) {
    std::string_view prevComm, nextComm;
    std::int64_t prevPid = 0, nextPid = 0, prevPrio = 0, nextPrio = 0;
    const std::size_t arrow = rest.find(" ==> ");
    if (arrow == std::string_view::npos || rest.find("prev_pid=") != std::string_view::npos)
        return false;
    std::string_view before = rest.substr(0, arrow), after = rest.substr(arrow + 5);
    if (!takeTask(before, prevComm, prevPid, prevPrio) || !takeTask(after, nextComm, nextPid, nextPrio))
        return false;
    event.addText("prev_comm", prevComm);
    event.add("prev_pid", prevPid);
    event.add("prev_prio", prevPrio);
    event.addText("prev_state", trimmed(before));
    event.addText("next_comm", nextComm);
    event.add("next_pid", nextPid);
    event.add("next_prio", nextPrio);
    return true;
}

bool LineParser::addBriefWakeup(std::string_view rest, FtraceEvent &event) {
    std::string_view comm;
    std::int64_t pid = 0, priority = 0;
    if (rest.find("pid=") != std::string_view::npos || !takeTask(rest, comm, pid, priority))
        return false;
    event.addText("comm", comm);
    event.add("pid", pid);
    event.add("prio", priority);
    return true;
}

// "8,0 WS 4096 () 1234 + 8 [kworker/0:1]": device, operation, perhaps bytes, command, sector + sectors, who or
// error.
void LineParser::addBlock(std::string_view rest, FtraceEvent &event) {
    constexpr int kMinorBits = 20;
    const std::string_view device = takeWord(rest);
    const std::size_t comma = device.find(',');
    if (comma != std::string_view::npos)
        event.add("dev", (wholeNumber(device.substr(0, comma)).value_or(0) << kMinorBits) |
                             wholeNumber(device.substr(comma + 1)).value_or(0));
    event.addText("rwbs", takeWord(rest));
    const std::size_t plus = rest.find(" + ");
    if (plus == std::string_view::npos)
        return;
    const std::string_view before = rest.substr(0, plus);
    event.addText("sector", before.substr(before.rfind(' ') + 1));
    std::string_view after = rest.substr(plus + 3);
    event.addText("nr_sector", takeWord(after));
}

// Events that are printed without names of fields.
bool LineParser::addUnkeyed(std::string_view name, std::string_view rest, FtraceEvent &event) {
    if (name == "sched_switch")
        return addBriefSwitch(rest, event);
    if (name == "sched_wakeup" || name == "sched_waking" || name == "sched_wakeup_new")
        return addBriefWakeup(rest, event);
    if (name.starts_with("block_rq_") || name == "block_io_start" || name == "block_io_done")
        return addBlock(rest, event), true;
    if (name == "suspend_resume") {
        const std::size_t open = rest.find('['), close = rest.find(']');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            return false;
        event.addText("action", rest.substr(0, open));
        event.addText("val", rest.substr(open + 1, close - open - 1));
        event.add("start", trimmed(rest.substr(close + 1)) == "begin" ? 1 : 0);
        return true;
    }
    if (name == "sys_enter" || name == "sys_exit") {
        takeWord(rest);
        event.addText("id", takeWord(rest));
        return true;
    }
    if (name == "clock_set_rate") {
        event.addText("name", takeWord(rest));
        return addPairs(trimmed(rest), event), true;
    }
    if (name.starts_with("workqueue_execute_") && rest.starts_with("work struct ")) {
        rest.remove_prefix(12);
        event.add("work", hexNumber(rest.substr(0, rest.find(':'))).value_or(0));
        const std::size_t function = rest.find("function ");
        if (function != std::string_view::npos)
            event.addText("function", trimmed(rest.substr(function + 9)));
        return true;
    }
    return false;
}

}  // namespace wattproof::importers::ftrace
