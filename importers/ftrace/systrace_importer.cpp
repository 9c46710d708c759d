#include "importers/ftrace/systrace_importer.h"

#include "importers/chrome/chrome_importer.h"
#include "importers/ftrace/html_scripts.h"
#include "importers/ftrace/text_reader.h"
#include "importers/trace/trace_source.h"

#include <vector>

namespace wattproof::importers {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20U;

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool isHtml(std::string_view head) {
    const std::string_view start = head.substr(0, 1024);
    return contains(start, "<html") || contains(start, "<HTML") || contains(start, "<!DOCTYPE html") ||
           contains(start, "<!doctype html");
}

// One import of text from the first byte to the finished source.
class TextImport {
public:
    TextImport(Input &input, store::BulkWriter &writer, const Task &task)
        : input_(input), writer_(writer), source_(input, writer, task) {}

    // Of a page; null: the input itself is the text.
    Expected<Summary> run(const ftrace::ScriptData *page) {
        if (auto status = source_.begin("systrace"); !status)
            return passOn(status);
        TraceBuilder builder(writer_, source_.row().id);
        ftrace::TextReader reader(writer_, source_.row().id, builder);
        auto status = page ? readSpilled(page->text(), reader) : readInput(reader);
        cut_ = cut_ || (page && page->cut());
        if (status && reader.events() == 0)
            return failure("this file holds no kernel event that can be read", input_.path(),
                           "give the text that systrace, atrace or trace-cmd report writes");
        if (status && !input_.damage().empty())
            builder.warn("truncated_input", input_.damage(), {input_.position()});
        else if (status && cut_)
            builder.warn("truncated_input", "The file ends inside a line or a part of its page: it was cut there.",
                         {input_.position()});
        if (status)
            status = reader.finish(source_.task());
        if (status)
            status = source_.write(builder, reader.toRealtime());
        if (!status)
            return passOn(status);
        return source_.close(reader.events());
    }

private:
    Status readInput(ftrace::TextReader &reader) {
        std::vector<char> buffer(kChunk);
        for (std::uint64_t at = 0;;) {
            auto got = input_.read(buffer);
            if (!got)
                return passOn(got);
            if (*got == 0)
                break;
            reader.take({buffer.data(), *got}, at);
            at += *got;
            if (auto status = source_.checkpoint(); !status)
                return status;
        }
        cut_ = reader.insideLine();
        reader.endText();
        return {};
    }

    Status readSpilled(const SpillFile &file, ftrace::TextReader &reader) {
        std::vector<char> buffer(kChunk);
        for (std::uint64_t at = 0; at < file.size();) {
            const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, file.size() - at));
            if (auto status = file.read(at, std::as_writable_bytes(std::span(buffer).first(count))); !status)
                return status;
            reader.take({buffer.data(), count}, at);
            at += count;
            if (auto status = source_.checkpoint(); !status)
                return status;
        }
        reader.endText();
        return {};
    }

    Input &input_;
    store::BulkWriter &writer_;
    TraceSource source_;
    bool cut_ = false;
};

class SystraceImporter final : public Importer {
public:
    std::string_view name() const override { return "systrace"; }

    double probe(std::span<const char> head, std::string_view) const override {
        const std::string_view text(head.data(), head.size());
        if (isHtml(text)) {
            const bool trace = contains(text, "trace-data") || contains(text, "viewer-data") ||
                               contains(text, "linuxPerfData") || contains(text, "Trace");
            return trace ? 0.95 : 0.4;
        }
        return ftrace::TextReader::looksLike(text) ? 0.95 : 0;
    }

    Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &options,
                             const Task &task) const override {
        const std::span<const char> head = input.head();
        if (!isHtml({head.data(), head.size()}))
            return TextImport(input, writer, task).run(nullptr);
        ftrace::ScriptData data;
        if (auto status = data.read(input, task); !status)
            return passOn(status);
        if (!data.hasJson() && data.hasText())
            return TextImport(input, writer, task).run(&data);
        if (!data.hasJson())
            return failure("this HTML page holds no trace", input.path(),
                           "give a page that systrace or Chrome's tracing page saved");
        auto json = data.json(input);
        if (!json)
            return passOn(json);
        return makeChromeImporter()->import(**json, writer, options, task);
    }
};

}  // namespace

std::unique_ptr<Importer> makeSystraceImporter() {
    return std::make_unique<SystraceImporter>();
}

}  // namespace wattproof::importers
