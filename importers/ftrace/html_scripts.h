// The trace within an HTML page that systrace, Chrome's tracing page or trace2html saved: the contents of script
// elements, decoded to what they were, in temporary files.
#pragma once

#include "importers/input/input.h"
#include "importers/trace/spill_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace wattproof::importers::ftrace {

// Finds script elements in a stream of HTML.
class ScriptScanner {
public:
    struct Sink {
        std::function<void(std::string_view tag)> begin;     // attributes as they stand
        std::function<void(std::string_view text)> content;  // in pieces
        std::function<void()> end;
    };
    explicit ScriptScanner(Sink sink) : sink_(std::move(sink)) {}

    void take(std::string_view html);
    void finish();
    [[nodiscard]] bool inside() const { return inside_; }

private:
    [[nodiscard]] bool step(bool last);

    Sink sink_;
    std::string buffer_;
    bool inside_ = false;
};

// What the scripts of a page hold.
class ScriptData {
public:
    [[nodiscard]] Status read(Input &, const Task &);

    // Whether the page ends inside a script, or before its own end.
    [[nodiscard]] bool cut() const { return cut_; }
    [[nodiscard]] bool hasText() const { return text_.size() > 0; }
    [[nodiscard]] bool hasJson() const { return json_.size() > 0; }
    [[nodiscard]] const SpillFile &text() const { return text_; }
    [[nodiscard]] int unusedBlocks() const { return unusedBlocks_; }
    // The Chrome JSON of the page as an input of its own, with kernel events of other scripts as its
    // systemTraceEvents. `page` must outlive it.
    [[nodiscard]] Expected<std::unique_ptr<Input>> json(Input &page) const;

private:
    enum class Kind : std::uint8_t { Ignored, Undecided, Text, Json, Base64, JavaScript, JsString };

    void begin(std::string_view tag);
    void content(std::string_view text);
    void decide();
    void decode(std::string_view text);
    void decodeBase64(std::string_view text);
    void searchString(std::string_view text);
    void decodeString(std::string_view text);
    void put(std::string_view bytes);
    void end();
    void flush();

    SpillFile text_, json_;
    SpillFile *target_ = nullptr;
    std::string held_, out_;
    Kind kind_ = Kind::Ignored;
    bool escaped_ = false, jsonDone_ = false, cut_ = false;
    std::uint32_t bits_ = 0;
    int bitCount_ = 0, unusedBlocks_ = 0;
    Status status_;
};

}  // namespace wattproof::importers::ftrace
