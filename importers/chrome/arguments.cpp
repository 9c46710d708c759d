#include "importers/chrome/arguments.h"

namespace wattproof::importers::chrome {
namespace {

constexpr std::string_view kArgs = "\"args\"";

}  // namespace

std::int64_t Arguments::shapeOf() {
    if (const auto found = shapes_.find(keys_); found != shapes_.end())
        return found->second;
    // A trace with endless different shapes would not gain by remembering them.
    constexpr std::size_t kRemembered = 4096;
    const std::int64_t shape = writer_.internArgShape(keys_);
    if (shapes_.size() < kRemembered)
        shapes_.emplace(keys_, shape);
    return shape;
}

ArgSetId Arguments::add(const Event &event) {
    keys_ = "[";
    values_ = "[";
    const auto append = [this](const RawValue &key, const RawValue &value) {
        if (keys_.size() > 1) {
            keys_ += ',';
            values_ += ',';
        }
        appendJson(keys_, key);
        appendJson(values_, value);
    };
    for (const Member &member : event.arguments)
        append(member.key, member.value);
    // An args that is no object, or one with too many members, is kept as one value.
    const bool asOne = event.args.kind == ValueKind::Object ? event.argumentsAsOne : event.args.present();
    if (asOne)
        append({kArgs.data() + 1, kArgs.size() - 2, ValueKind::String, false, false}, event.args);
    if (keys_.size() == 1)
        return {};
    keys_ += ']';
    values_ += ']';
    return writer_.addArgs(shapeOf(), values_);
}

}  // namespace wattproof::importers::chrome
