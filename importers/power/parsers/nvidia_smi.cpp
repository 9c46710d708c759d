// nvidia-smi -q as text and as XML: one record a GPU of each report, named by the path of sections or elements.
#include "importers/power/record_parser.h"

#include <algorithm>

namespace wattproof::importers {
namespace {

constexpr std::size_t kMaxDepth = 32;

// What stands before the first GPU holds for all GPUs of a report.
class Report {
public:
    void clear() { facts_.clear(); }
    void add(std::string_view name, std::string_view value) {
        if (facts_.size() < 64)
            facts_.emplace_back(name, value);
    }
    void begin(RecordSink &sink) const {
        for (const auto &[name, value] : facts_)
            sink.set(name, value);
    }

private:
    std::vector<std::pair<std::string, std::string>> facts_;
};

class SmiTextParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        const std::string_view text = trimmed(row.text);
        if (text.starts_with("====")) {
            sink.finish(line_);
            report_.clear();
            inGpu_ = false;
            return;
        }
        const std::size_t indent = row.text.find_first_not_of(' ');
        if (indent == 0 && text.starts_with("GPU ") && text.find(" : ") == std::string_view::npos) {
            sink.finish(line_);
            line_ = row.line;
            report_.begin(sink);
            sink.set("pci", trimmed(text.substr(4)));
            inGpu_ = true;
            sections_.clear();
            return;
        }
        takeLine(text, indent, sink);
    }
    void end(RecordSink &sink) override {
        if (inGpu_)
            sink.finish(line_);
    }

private:
    void takeLine(std::string_view text, std::size_t indent, RecordSink &sink) {
        const std::size_t colon = text.find(" : ");
        while (!sections_.empty() && sections_.back().first >= indent)
            sections_.pop_back();
        if (colon == std::string_view::npos) {
            if (sections_.size() < kMaxDepth && !text.ends_with(':'))
                sections_.emplace_back(indent, text);
            return;
        }
        std::string path;
        for (const auto &[depth, name] : sections_)
            path += name + "/";
        path += trimmed(text.substr(0, colon));
        const std::string_view value = trimmed(text.substr(colon + 3));
        if (inGpu_)
            sink.set(path, value);
        else
            report_.add(path, value);
    }

    Report report_;
    std::vector<std::pair<std::size_t, std::string>> sections_;
    bool inGpu_ = false;
    std::uint64_t line_ = 0;
};

// Reads tags and text as nvidia-smi prints them: no CDATA, no entities of its own, nothing that a DTD would have to tell.
class SmiXmlParser final : public RecordParser {
public:
    void row(const TableRow &row, RecordSink &sink) override {
        std::string_view rest = row.text;
        while (!rest.empty()) {
            const std::size_t open = rest.find('<');
            if (open == std::string_view::npos)
                return;
            const std::size_t close = rest.find('>', open);
            if (close == std::string_view::npos)
                return sink.unreadable(row.line);
            const std::string_view tag = rest.substr(open + 1, close - open - 1);
            rest.remove_prefix(close + 1);
            takeTag(tag, rest.substr(0, rest.find('<')), rest.find('<') != std::string_view::npos, row.line, sink);
        }
    }
    void end(RecordSink &sink) override {
        if (inGpu_) {
            sink.finish(line_);
            sink.unreadable(line_);  // the document ends within a GPU
        }
    }

private:
    void takeTag(std::string_view tag, std::string_view text, bool closed, std::uint64_t line, RecordSink &sink) {
        if (tag.empty() || tag.front() == '?' || tag.front() == '!' || tag.back() == '/')
            return;
        if (tag.front() == '/')
            return leave(sink);
        const std::size_t end = std::min(tag.find(' '), tag.size());
        const std::string_view name = tag.substr(0, end);
        if (name == "nvidia_smi_log") {
            report_.clear();
            path_.clear();
            inGpu_ = false;
            sink.drop();
            return;
        }
        if (name == "gpu" && path_.empty()) {
            inGpu_ = true;
            line_ = line;
            report_.begin(sink);
            const std::size_t id = tag.find("id=\"");
            if (id != std::string_view::npos)
                sink.set("pci", tag.substr(id + 4, tag.find('"', id + 4) - id - 4));
            return;
        }
        if (depth_++ < kMaxDepth)
            path_.emplace_back(name);
        if (!closed || trimmed(text).empty())
            return;
        std::string full;
        for (const std::string &part : path_)
            full += (full.empty() ? "" : "/") + part;
        if (inGpu_)
            sink.set(full, trimmed(text));
        else
            report_.add(full, trimmed(text));
    }
    void leave(RecordSink &sink) {
        if (depth_ > 0) {
            if (--depth_ < path_.size())
                path_.pop_back();
            return;
        }
        if (inGpu_)
            sink.finish(line_);
        inGpu_ = false;
    }

    Report report_;
    std::vector<std::string> path_;
    std::size_t depth_ = 0;  // of elements below the report or the GPU
    bool inGpu_ = false;
    std::uint64_t line_ = 0;
};

}  // namespace

std::unique_ptr<RecordParser> makeSmiTextParser() {
    return std::make_unique<SmiTextParser>();
}

std::unique_ptr<RecordParser> makeSmiXmlParser() {
    return std::make_unique<SmiXmlParser>();
}

}  // namespace wattproof::importers
