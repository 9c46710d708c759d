#include "importers/chrome/scribe.h"

namespace wattproof::importers::chrome {

StringId Scribe::category(const Event &event) {
    if (!event.category.present())
        return {};
    const std::string_view text = plainText(event.category, scratch_);
    const StringId id = writer_.intern(text);
    recogniser_.noteOnce(ClueKind::Category, id, text);
    return id;
}

StringId Scribe::name(const Event &event) {
    if (!event.name.present())
        return {};
    const std::string_view text = plainText(event.name, scratch_);
    const StringId id = writer_.intern(text);
    recogniser_.noteOnce(ClueKind::EventName, id, text);
    return id;
}

std::string_view Scribe::nameText(const Event &event) {
    return event.name.present() ? plainText(event.name, nameText_) : std::string_view();
}

RawEvent Scribe::bare(const Event &event, Ns ts) {
    return {{}, ts, name(event), category(event), {}, {event.offset}};
}

RawEvent Scribe::whole(const Event &event, Ns ts) {
    RawEvent own = bare(event, ts);
    own.args = arguments_.add(event);
    return own;
}

}  // namespace wattproof::importers::chrome
