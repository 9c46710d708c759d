#include "importers/power/record_parser.h"

#include <algorithm>
#include <utility>

namespace wattproof::importers {
namespace {

constexpr std::size_t kMaxText = 4096;  // of one value

struct Form {
    std::string_view name;
    std::unique_ptr<RecordParser> (*make)();
};

constexpr Form kForms[] = {
    {"pairs", makePairsParser},           {"key-value", makeKeyValueParser},
    {"nvidia-smi-q", makeSmiTextParser},  {"nvidia-smi-xml", makeSmiXmlParser},
    {"prometheus", makePrometheusParser}, {"json", makeJsonParser},
    {"hml", makeHmlParser},               {"tegrastats", makeTegrastatsParser},
    {"powermetrics", makePowermetricsParser},
    {"powermetrics-plist", makePowermetricsPlistParser},
    {"energy-runner", makeEnergyRunnerParser},
};

}  // namespace

void RecordSink::set(std::string_view name, std::string_view value) {
    auto it = byName_.find(name);
    if (it == byName_.end()) {
        if (names_.size() >= kMaxNames || name.size() > kMaxText)
            return unreadable(0);
        it = byName_.emplace(std::string(name), names_.size()).first;
        names_.emplace_back(name);
        place_.push_back(0);
    }
    std::size_t &place = place_[it->second];
    if (place == 0) {
        current_.values.push_back({it->second, std::string()});
        place = current_.values.size();
    }
    current_.values[place - 1].text = value.substr(0, kMaxText);
}

bool RecordSink::has(std::string_view name) const {
    const auto it = byName_.find(name);
    return it != byName_.end() && place_[it->second] > 0;
}

void RecordSink::drop() {
    for (const Value &value : current_.values)
        place_[value.name] = 0;
    current_.values.clear();
}

void RecordSink::finish(std::uint64_t line) {
    if (current_.values.empty())
        return;
    Record record{std::move(current_.values), names_.size(), line};
    for (const Value &value : record.values)
        place_[value.name] = 0;
    current_.values.clear();
    records_.push_back(std::move(record));
}

void RecordSink::unreadable(std::uint64_t line) {
    if (unreadable_++ == 0)
        firstUnreadable_ = line;
}

bool isRecordForm(std::string_view form) {
    return form == "long" || std::any_of(std::begin(kForms), std::end(kForms), [&](const Form &f) { return f.name == form; });
}

std::string recordForms() {
    std::string list = "long";
    for (const Form &form : kForms)
        list += ", " + std::string(form.name);
    return list;
}

std::unique_ptr<RecordParser> makeRecordParser(const Descriptor &descriptor) {
    for (const Form &form : kForms)
        if (form.name == descriptor.form)
            return form.make();
    return makeLongParser(descriptor);
}

}  // namespace wattproof::importers
