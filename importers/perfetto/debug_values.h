// Debug annotations, of any depth that is sane, as JSON values.
#pragma once

#include "importers/perfetto/sequence.h"
#include "importers/perfetto/wire.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace wattproof::importers::perfetto {

class DebugValues {
public:
    struct Damage {
        std::uint32_t missingInterned = 0;  // ids that nothing explains
        std::uint32_t nonfinite = 0;        // numbers that are none
        std::uint32_t tooDeep = 0;
    };

    // Empty when it has none, or one that nothing explains. Any bytes.
    [[nodiscard]] std::string_view nameOf(std::string_view annotation, const Interned &);
    void append(std::string &out, std::string_view annotation, const Interned &interned) {
        value(out, annotation, interned, 0);
    }

    void countMissing() { ++damage_.missingInterned; }
    void clearDamage() { damage_ = {}; }
    [[nodiscard]] const Damage &damage() const { return damage_; }

private:
    void value(std::string &out, std::string_view annotation, const Interned &, int depth);
    bool leaf(std::string &out, const Field &, const Interned &);
    void dictionary(std::string &out, std::string_view annotation, const Interned &, int depth);
    void array(std::string &out, std::string_view annotation, const Interned &, int depth);
    void nested(std::string &out, std::string_view bytes, int depth);
    void nestedDictionary(std::string &out, std::string_view bytes, int depth);
    void number(std::string &out, double);
    void json(std::string &out, std::string_view text);

    Damage damage_;
};

}  // namespace wattproof::importers::perfetto
