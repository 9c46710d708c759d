#include "importers/chrome/open_begins.h"

namespace wattproof::importers::chrome {
namespace {

constexpr std::size_t kMostBytes = std::size_t{32} << 20U;  // of begins that wait
constexpr std::size_t kManyScopes = 4096;                   // empty ones are kept below this

}  // namespace

void OpenBegins::begin(std::uint64_t scope, const RawEvent &event, std::optional<AsyncKey> key,
                       const Event &source) {
    Waiting &own = stacks_[scope].emplace_back();
    own.event = event;
    own.key = key;
    Arguments::collect(source, own.text);
    own.bytes = sizeof(Waiting) + own.text.keys.size() + own.text.values.size();
    bytes_ += own.bytes;
    if (bytes_ > kMostBytes)
        flush();
}

void OpenBegins::release(Stack &stack, std::size_t from) {
    for (std::size_t i = from; i < stack.size(); ++i) {
        Waiting &each = stack[i];
        bytes_ -= each.bytes;
        each.event.args = scribe_.arguments().add(each.text);
        if (each.key)
            scribe_.builder().asyncBegin(each.event, *each.key);
        else
            scribe_.builder().begin(each.event);
    }
    stack.resize(from);
}

ArgSetId OpenBegins::end(std::uint64_t scope, StringId name, const Event &source) {
    const auto found = stacks_.find(scope);
    if (found == stacks_.end())
        return scribe_.arguments().add(source);
    Stack &stack = found->second;
    std::size_t at = stack.size();
    while (at > 0 && name.valid() && stack[at - 1].event.name != name)
        --at;
    if (at == 0)
        return scribe_.arguments().add(source);
    Arguments::join(stack[at - 1].text, source);
    release(stack, at - 1);
    if (stack.empty() && stacks_.size() > kManyScopes)
        stacks_.erase(found);
    return {};
}

void OpenBegins::flush() {
    for (auto &[scope, stack] : stacks_)
        release(stack, 0);
    stacks_.clear();
}

}  // namespace wattproof::importers::chrome
