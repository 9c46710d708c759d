#include "importers/ftrace/text_reader.h"

#include "importers/ftrace/atrace.h"

#include <limits>

namespace wattproof::importers::ftrace {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 10U;

// The text of a JavaScript string still has its line ends as escapes.
std::string_view withoutEnd(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line.ends_with("\\n\\"))
        line.remove_suffix(3);
    return line;
}

bool isHeader(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return true;
    line.remove_prefix(first);
    return line[0] == '#' || line.starts_with("cpus=") || line.starts_with("CPU:") || line.starts_with("CPU ") ||
           line.starts_with("TRACE:") || line.starts_with("version = ");
}

std::string_view word(std::string_view line, std::size_t index) {
    std::size_t at = line.find_first_not_of(" \t");
    for (; at != std::string_view::npos; --index) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        if (index == 0)
            return line.substr(at, end - at);
        at = line.find_first_not_of(" \t", end);
    }
    return {};
}

}  // namespace

TextReader::TextReader(store::BulkWriter &writer, SourceId source, TraceBuilder &builder, std::size_t memoryBudget)
    : builder_(builder), tracks_(writer, source), kernel_(tracks_, builder, memoryBudget) {}

bool TextReader::looksLike(std::string_view head) {
    if (head.starts_with("# tracer:") || head.find("\n# tracer:") != std::string_view::npos)
        return true;
    LineParser parser;
    FtraceEvent event;
    constexpr int kLinesLookedAt = 50;
    for (int i = 0; i < kLinesLookedAt && !head.empty(); ++i) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        if (end < kLongestLine && parser.parse(withoutEnd(head.substr(0, end)), event))
            return true;
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    return false;
}

void TextReader::take(std::string_view text, std::uint64_t offset) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view part = text.substr(0, end);
        if (held_.empty())
            heldAt_ = offset;
        tooLong_ = tooLong_ || held_.size() + part.size() > kLongestLine;
        if (end == std::string_view::npos) {
            if (!tooLong_)
                held_ += part;
            return;
        }
        if (held_.empty() && !tooLong_) {
            line(part, offset);
        } else {
            if (!tooLong_)
                held_ += part;
            endText();
        }
        offset += end + 1;
        text.remove_prefix(end + 1);
    }
}

void TextReader::endText() {
    if (tooLong_)
        builder_.warn("unreadable_line", "Lines that are no kernel events were left out.", {heldAt_});
    else if (!held_.empty())
        line(held_, heldAt_);
    held_.clear();
    tooLong_ = false;
}

void TextReader::noteClock(const FtraceEvent &event) {
    if (event.name != "print")
        return;
    const auto sync = parseClockSync(event.text("buf"));
    if (!sync)
        return;
    (sync->realtime ? toRealtime_ : toParent_) = sync->ns - event.ts;
}

// Rows of `ps` (USER PID PPID … NAME), which systrace puts below a header of its own.
bool TextReader::processRow(std::string_view text, std::uint64_t offset) {
    if (word(text, 0) == "USER" && word(text, 1) == "PID" && word(text, 2) == "PPID") {
        inProcessList_ = true;
        return true;
    }
    if (!inProcessList_)
        return false;
    const auto pid = wholeNumber(word(text, 1)), parent = wholeNumber(word(text, 2));
    inProcessList_ = pid && parent;
    if (!inProcessList_)
        return false;
    const std::size_t last = text.find_last_of(" \t");
    kernel_.processInfo(std::numeric_limits<Ns>::min(), *pid, *parent, text.substr(last + 1), offset);
    return true;
}

void TextReader::line(std::string_view text, std::uint64_t offset) {
    text = withoutEnd(text);
    if (isHeader(text))
        return;
    if (parser_.parse(text, event_)) {
        inProcessList_ = false;
        event_.offset = offset;
        noteClock(event_);
        return kernel_.take(event_);
    }
    // Before the first event stands what the recording tool had to say.
    if (!processRow(text, offset) && kernel_.events() > 0)
        builder_.warn("unreadable_line", "Lines that are no kernel events were left out.", {offset});
}

Status TextReader::finish(const Task &task) {
    endText();
    return kernel_.finish(task);
}

}  // namespace wattproof::importers::ftrace
