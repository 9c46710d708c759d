#include "importers/chrome/chrome_importer.h"

#include "importers/chrome/event_router.h"
#include "importers/chrome/event_stream.h"
#include "importers/chrome/power_text.h"
#include "importers/chrome/system_trace.h"
#include "importers/trace/trace_source.h"

namespace wattproof::importers {
namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string_view withoutSpace(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// One import from the first byte to the finished source.
class Import {
public:
    Import(Input &input, store::BulkWriter &writer, const Task &task, const KernelClassifier &classifier)
        : input_(input), writer_(writer), classifier_(classifier), source_(input, writer, task) {}

    Expected<Summary> run() {
        if (auto status = source_.begin("chrome-json"); !status)
            return passOn(status);
        const SourceId id = source_.row().id;
        TraceBuilder builder(writer_, id);
        chrome::Recogniser recogniser;
        chrome::Head head(writer_, id, builder, recogniser);
        chrome::EventRouter router(writer_, id, builder, head, recogniser, classifier_);
        chrome::SystemTrace system(writer_, id, builder);
        chrome::PowerText power(writer_, id, builder);
        if (auto status = readAll(builder, head, router, system, power); !status)
            return passOn(status);
        if (auto status = router.finish(source_.task()); !status)
            return passOn(status);
        if (auto status = system.finish(router.places(), source_.task()); !status)
            return passOn(status);
        power.finish(head.clockMarks());
        source_.row().format = recogniser.current().format();
        source_.row().simulated = head.simulated();
        if (auto status = source_.write(builder, head.baseTime()); !status)
            return passOn(status);
        return source_.close(router.events() + system.events());
    }

private:
    Status readAll(TraceBuilder &builder, chrome::Head &head, chrome::EventRouter &router,
                   chrome::SystemTrace &system, chrome::PowerText &power) {
        const auto warn = [&builder](std::string_view kind, std::string_view message, std::uint64_t offset,
                                     std::int64_t count) { builder.warn(kind, message, {offset}, count); };
        const auto onHead = [&head](std::string_view key, const chrome::RawValue &value, std::uint64_t offset) {
            head.member(key, value, offset);
        };
        chrome::EventStream stream(input_, warn, onHead);
        stream.setText("systemTraceEvents",
                       [&system](std::string_view piece, std::uint64_t offset) { system.take(piece, offset); });
        stream.setText("powerTraceAsString",
                       [&power](std::string_view piece, std::uint64_t offset) { power.take(piece, offset); });
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
                if (auto status = source_.checkpoint(); !status)
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

    Input &input_;
    store::BulkWriter &writer_;
    const KernelClassifier &classifier_;
    TraceSource source_;
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
