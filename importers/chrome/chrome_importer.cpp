#include "importers/chrome/chrome_importer.h"

#include "importers/chrome/event_router.h"
#include "importers/chrome/event_stream.h"
#include "importers/chrome/system_trace.h"
#include "store/version.h"

#include <array>
#include <chrono>
#include <ctime>

namespace wattproof::importers {
namespace {

using Clock = std::chrono::steady_clock;

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string_view withoutSpace(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::string nowUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// 2000 to 2100: a stated time in here is wall time since 1970, whatever else the file says.
bool isEpoch(Ns stated) {
    constexpr Ns kYear2000 = 946'684'800'000'000'000, kYear2100 = 4'102'444'800'000'000'000;
    return stated >= kYear2000 && stated < kYear2100;
}

void settleClock(SourceRow &source, std::optional<Ns> baseTime) {
    source.clock = ClockBasis::Relative;
    if (isEpoch(source.statedBase)) {
        source.clock = ClockBasis::Epoch;
    } else if (Ns sum = 0;
               baseTime && !__builtin_add_overflow(source.statedBase, *baseTime, &sum) && isEpoch(sum)) {
        source.clock = ClockBasis::Epoch;
        source.statedBase = sum;
    }
}

// One import from the first byte to the finished source.
class Import {
public:
    Import(Input &input, store::BulkWriter &writer, const Task &task, const KernelClassifier &classifier)
        : input_(input), writer_(writer), task_(task), classifier_(classifier) {}

    Expected<Summary> run() {
        const auto started = Clock::now();
        if (auto status = begin(); !status)
            return passOn(status);
        TraceBuilder builder(writer_, source_.id);
        chrome::Recogniser recogniser;
        chrome::Head head(writer_, source_.id, builder, recogniser);
        chrome::EventRouter router(writer_, source_.id, builder, head, recogniser, classifier_);
        chrome::SystemTrace system(writer_, source_.id, builder);
        if (auto status = readAll(builder, head, router, system); !status)
            return passOn(status);
        router.finish();
        if (auto status = system.finish(router.places(), task_); !status)
            return passOn(status);
        summary_.events = router.events() + system.events();
        source_.format = recogniser.current().format();
        if (auto status = finish(builder, head); !status)
            return passOn(status);
        summary_.seconds = std::chrono::duration<double>(Clock::now() - started).count();
        return summary_;
    }

private:
    Status begin() {
        source_.kind = SourceKind::Trace;
        source_.path = input_.path();
        source_.format = "chrome-json";
        source_.sizeBytes = input_.sizeBytes();
        source_.importedAt = nowUtc();
        source_.toolVersion = toolVersion();
        auto id = writer_.addSource(source_);
        if (!id)
            return passOn(id);
        source_.id = *id;
        return {};
    }

    Status readAll(TraceBuilder &builder, chrome::Head &head, chrome::EventRouter &router,
                   chrome::SystemTrace &system) {
        const auto warn = [&builder](std::string_view kind, std::string_view message, std::uint64_t offset,
                                     std::int64_t count) { builder.warn(kind, message, {offset}, count); };
        const auto onHead = [&head](std::string_view key, const chrome::RawValue &value, std::uint64_t offset) {
            head.member(key, value, offset);
        };
        chrome::EventStream stream(input_, warn, onHead);
        stream.setText("systemTraceEvents",
                       [&system](std::string_view piece, std::uint64_t offset) { system.take(piece, offset); });
        chrome::Event event;
        for (std::uint64_t count = 0;; ++count) {
            auto more = stream.next(event);
            if (!more)
                return passOn(more);
            if (!*more)
                break;
            if (stream.inSamples())
                router.takeSample(event);
            else
                router.take(event);
            if ((count & 0xfffU) == 0)
                if (auto status = report(); !status)
                    return status;
        }
        return checkFound(stream, builder, router);
    }

    // A file without a single event is refused unless it has a list of events that is named so, or an empty one.
    Status checkFound(const chrome::EventStream &stream, TraceBuilder &builder,
                      const chrome::EventRouter &router) {
        if (!stream.sawEvents())
            return failure("This JSON file is no trace: it has no list of \"traceEvents\"", input_.path(),
                           "give a Chrome or PyTorch profiler trace");
        if (router.events() > 0)
            return {};
        if (stream.items() > 0 && stream.bareArray())
            return failure("This JSON file is no trace: nothing in its list is an event with a phase (\"ph\")",
                           input_.path(), "give a Chrome or PyTorch profiler trace");
        builder.warn("no_events", "The trace holds no events.", {0});
        return {};
    }

    Status report() {
        if (task_.cancelled())
            return cancelled();
        const auto now = Clock::now();
        if (now - reported_ < std::chrono::milliseconds(100))
            return {};
        reported_ = now;
        task_.report({"Reading " + input_.path().substr(input_.path().find_last_of('/') + 1),
                      input_.bytesConsumed(), input_.sizeBytes(), "bytes"});
        return {};
    }

    Status finish(TraceBuilder &builder, const chrome::Head &head) {
        if (auto status = builder.finish(source_, summary_, task_); !status)
            return status;
        source_.simulated = head.simulated();
        settleClock(source_, head.baseTime());
        auto hash = input_.sha256();
        if (!hash)
            return passOn(hash);
        source_.sha256 = *hash;
        summary_.source = source_.id;
        summary_.path = source_.path;
        summary_.format = source_.format;
        summary_.bytes = input_.position();
        if (auto status = writer_.updateSource(source_); !status)
            return status;
        return writer_.finishSource(source_.id);
    }

    Input &input_;
    store::BulkWriter &writer_;
    const Task &task_;
    const KernelClassifier &classifier_;
    SourceRow source_;
    Summary summary_;
    Clock::time_point reported_{};
};

class ChromeImporter final : public Importer {
public:
    std::string_view name() const override { return "chrome-json"; }

    double probe(std::span<const char> head, std::string_view) const override {
        const std::string_view text = withoutSpace({head.data(), head.size()});
        if (text.empty() || (text[0] != '{' && text[0] != '['))
            return 0;
        if (contains(text, "\"traceEvents\"") || (text[0] == '[' && contains(text, "\"ph\"")))
            return 0.95;
        const bool kineto = contains(text, "\"deviceProperties\"") || contains(text, "\"baseTimeNanoseconds\"");
        // Any other JSON: nobody else may know it, and then this importer's refusal says what was expected.
        return kineto ? 0.8 : 0.1;
    }

    Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &,
                             const Task &task) const override {
        auto classifier = KernelClassifier::load();
        if (!classifier)
            return passOn(classifier);
        return Import(input, writer, task, *classifier).run();
    }
};

}  // namespace

std::unique_ptr<Importer> makeChromeImporter() {
    return std::make_unique<ChromeImporter>();
}

}  // namespace wattproof::importers
