// Writers that trace programs, not accelerators: browsers, Node, compilers, build tools, Python tracers. They
// differ in how they are told, and in what one unit of work is.
#include "importers/chrome/dialects/dialect.h"
#include "importers/chrome/dialects/work_facts.h"

#include <span>

namespace wattproof::importers::chrome {
namespace {

enum class Fit : std::uint8_t { Whole, Begin, Part };

struct Sign {
    ClueKind kind;
    Fit fit;
    std::string_view text;
    int points;
};

bool fits(const Sign &sign, const Clue &clue) {
    if (sign.kind != clue.kind)
        return false;
    if (sign.fit == Fit::Whole)
        return clue.text == sign.text;
    return sign.fit == Fit::Begin ? clue.text.starts_with(sign.text) : contains(clue.text, sign.text);
}

class Program final : public Dialect {
public:
    Program(std::string_view format, std::string_view unit, std::span<const Sign> signs)
        : format_(format), unit_(unit), signs_(signs) {}

    std::string format() const override { return std::string(format_); }
    std::string_view unitOfWork() const override { return unit_; }
    void note(const Clue &clue) override {
        for (const Sign &sign : signs_)
            if (fits(sign, clue))
                points_ += sign.points;
    }

private:
    std::string_view format_, unit_;
    std::span<const Sign> signs_;
};

constexpr Sign kDevTools[] = {
    {ClueKind::EventName, Fit::Begin, "TracingStartedIn", 30},
    {ClueKind::HeadValue, Fit::Part, "\"DevTools\"", 40},
    {ClueKind::Category, Fit::Whole, "devtools.timeline", 15},
    {ClueKind::Category, Fit::Whole, "disabled-by-default-devtools.timeline", 20},
    {ClueKind::Category, Fit::Begin, "disabled-by-default-devtools.screenshot", 20},
    {ClueKind::Category, Fit::Whole, "disabled-by-default-v8.cpu_profiler", 10},
};

constexpr Sign kChromeTracing[] = {
    {ClueKind::HeadKey, Fit::Whole, "clientInfo", 20},
    {ClueKind::HeadKey, Fit::Whole, "controllerTraceDataKey", 20},
    {ClueKind::HeadValue, Fit::Part, "\"os-name\"", 30},
    {ClueKind::HeadValue, Fit::Part, "\"chrome-", 20},
    {ClueKind::ThreadName, Fit::Begin, "Cr", 4},
    {ClueKind::ThreadName, Fit::Begin, "Chrome_", 4},
    {ClueKind::ProcessName, Fit::Whole, "Browser", 4},
    {ClueKind::ProcessName, Fit::Whole, "Renderer", 4},
    {ClueKind::Category, Fit::Part, "toplevel", 4},
    {ClueKind::Category, Fit::Begin, "disabled-by-default-", 2},
    {ClueKind::Category, Fit::Whole, "renderer_host", 4},
    {ClueKind::Category, Fit::Whole, "webkit", 4},
};

constexpr Sign kNode[] = {
    {ClueKind::ProcessName, Fit::Whole, "node", 30},
    {ClueKind::Category, Fit::Begin, "node,", 20},
    {ClueKind::Category, Fit::Begin, "node.", 20},
    {ClueKind::ThreadName, Fit::Whole, "JavaScriptMainThread", 10},
};

constexpr Sign kClang[] = {
    {ClueKind::HeadKey, Fit::Whole, "beginningOfTime", 30},
    {ClueKind::ProcessName, Fit::Begin, "clang", 20},
    {ClueKind::EventName, Fit::Whole, "ExecuteCompiler", 15},
    {ClueKind::EventName, Fit::Whole, "Total ExecuteCompiler", 15},
    {ClueKind::EventName, Fit::Whole, "Total Frontend", 10},
};

constexpr Sign kBazel[] = {
    {ClueKind::HeadValue, Fit::Part, "\"build_id\"", 30},
    {ClueKind::HeadValue, Fit::Part, "\"bazel_version\"", 30},
    {ClueKind::Category, Fit::Whole, "build phase marker", 20},
    {ClueKind::Category, Fit::Whole, "action processing", 10},
    {ClueKind::Category, Fit::Whole, "general information", 5},
    {ClueKind::ThreadName, Fit::Begin, "skyframe-evaluator", 5},
    {ClueKind::ThreadName, Fit::Whole, "Critical Path", 5},
};

constexpr Sign kNinja[] = {
    {ClueKind::Category, Fit::Whole, "targets", 20},
};

constexpr Sign kVizTracer[] = {
    {ClueKind::HeadKey, Fit::Whole, "viztracer_metadata", 50},
    {ClueKind::Category, Fit::Whole, "FEE", 20},
};

}  // namespace

std::unique_ptr<Dialect> makeDevTools() {
    return std::make_unique<Program>("chrome-devtools", "RunTask", kDevTools);
}

std::unique_ptr<Dialect> makeChromeTracing() {
    return std::make_unique<Program>("chrome-tracing", "", kChromeTracing);
}

std::unique_ptr<Dialect> makeNode() {
    return std::make_unique<Program>("node", "", kNode);
}

std::unique_ptr<Dialect> makeClang() {
    return std::make_unique<Program>("clang-time-trace", "Source", kClang);
}

std::unique_ptr<Dialect> makeBazel() {
    return std::make_unique<Program>("bazel-profile", "", kBazel);
}

std::unique_ptr<Dialect> makeNinja() {
    return std::make_unique<Program>("ninja", "", kNinja);
}

std::unique_ptr<Dialect> makeVizTracer() {
    return std::make_unique<Program>("viztracer", "", kVizTracer);
}

std::unique_ptr<Dialect> makeGeneric() {
    return std::make_unique<Program>("chrome-json", "", std::span<const Sign>());
}

}  // namespace wattproof::importers::chrome
