#include "importers/perfetto/open_arguments.h"

namespace wattproof::importers::perfetto {

ArgSetId ArgumentJoiner::begin(std::unique_ptr<OpenArguments> &open, Ns ts) {
    if (!open)
        open = std::make_unique<OpenArguments>();
    const std::size_t size = annotations_.keys().size() + annotations_.values().size();
    const bool keeps = kept_ + size <= kMostText;
    open->begins.push_back({ts, open->keys.size(), open->values.size(), keeps});
    if (keeps) {
        kept_ += size;
        open->keys += annotations_.keys();
        open->values += annotations_.values();
    }
    return annotations_.write();
}

ArgSetId ArgumentJoiner::end(std::unique_ptr<OpenArguments> &open, Ns ts, bool &whole) {
    whole = false;
    if (!open || open->begins.empty())
        return annotations_.write();
    const OpenArguments::Begin last = open->begins.back();
    open->begins.pop_back();
    const std::string_view keys = std::string_view(open->keys).substr(last.keysAt);
    const std::string_view values = std::string_view(open->values).substr(last.valuesAt);
    // An end before the begin met last is the end of another.
    const bool joins = last.kept && ts >= last.ts && !keys.empty() && !annotations_.keys().empty();
    const ArgSetId set = joins ? annotations_.writeMerged(keys, values) : annotations_.write();
    whole = joins;
    kept_ -= keys.size() + values.size();
    open->keys.resize(last.keysAt);
    open->values.resize(last.valuesAt);
    return set;
}

}  // namespace wattproof::importers::perfetto
