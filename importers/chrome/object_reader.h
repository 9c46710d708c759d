// Looks into an object value that was scanned already.
#pragma once

#include "importers/chrome/json_text.h"

#include <initializer_list>
#include <string_view>

namespace wattproof::importers::chrome {

// Calls take(key, value) for each member, in order; does nothing for a value that is no object.
template <class Take>
void readMembers(const RawValue &object, Take take) {
    if (object.kind != ValueKind::Object)
        return;
    Scanner scanner(object.data + 1, object.data + object.size);
    RawValue key, value;
    bool more = true;
    while (more && scanner.value(key) == Scan::Ok && key.kind == ValueKind::String &&
           scanner.expect(':') == Scan::Ok && scanner.value(value) == Scan::Ok) {
        take(key, value);
        if (scanner.separator('}', more) != Scan::Ok)
            return;
    }
}

// Calls take(value) for each entry of a list.
template <class Take>
void readItems(const RawValue &list, Take take) {
    if (list.kind != ValueKind::Array)
        return;
    Scanner scanner(list.data + 1, list.data + list.size);
    RawValue value;
    bool more = true;
    while (more && scanner.value(value) == Scan::Ok) {
        take(value);
        if (scanner.separator(']', more) != Scan::Ok)
            return;
    }
}

// The member at the end of a path of keys; Missing where there is none.
[[nodiscard]] inline RawValue memberAt(RawValue object, std::initializer_list<std::string_view> path) {
    for (const std::string_view wanted : path) {
        RawValue found;
        readMembers(object, [&](const RawValue &key, const RawValue &value) {
            if (key.text() == wanted)
                found = value;
        });
        object = found;
    }
    return object;
}

}  // namespace wattproof::importers::chrome
