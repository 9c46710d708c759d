#include "importers/kernel_classes.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <vector>

#include <nlohmann/json.hpp>

#include "importers/name_pattern.h"
#include "resources/embedded.h"

namespace wattproof::importers {
namespace {

using Json = nlohmann::json;

constexpr const char *kFile = "kernel_classes.json";
// What decides stands in the first thousands of characters or, for lambdas, at the end: names can be longer.
constexpr std::size_t kInspected = 8192;

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

// A name as rules look at it: as written and in lower case.
struct Name {
    std::string_view written;
    std::string lower;
};

struct Rule {
    std::string value;
    std::vector<NamePattern> any;
    std::vector<std::string> except;    // these texts are blanked out first
    std::string afterLast;              // look only at what follows the last of these
    bool ignoreCase = false;

    [[nodiscard]] bool fits(const Name &name) const {
        std::string_view text = ignoreCase ? std::string_view(name.lower) : name.written;
        if (!afterLast.empty()) {
            const std::size_t at = text.rfind(afterLast);
            if (at == std::string_view::npos)
                return false;
            text = text.substr(at + afterLast.size());
        }
        if (except.empty())
            return matchesAny(text);
        const std::string blanked = blank(text);
        return matchesAny(blanked);
    }

private:
    [[nodiscard]] bool matchesAny(std::string_view text) const {
        return std::any_of(any.begin(), any.end(), [text](const NamePattern &p) { return p.matches(text); });
    }

    [[nodiscard]] std::string blank(std::string_view text) const {
        std::string copy(text);
        for (const std::string &gone : except)
            for (std::size_t at = copy.find(gone); at != std::string::npos; at = copy.find(gone, at))
                copy.replace(at, gone.size(), gone.size(), ' ');
        return copy;
    }
};

// Reads one file of rules; `where` names it in messages.
class RuleReader {
public:
    explicit RuleReader(std::string where) : where_(std::move(where)) {}

    Expected<std::vector<Rule>> list(const Json &document, const char *listKey, const char *valueKey) const {
        std::vector<Rule> rules;
        const auto found = document.find(listKey);
        if (found == document.end())
            return rules;
        if (!found->is_array())
            return wrong(listKey, "a list of rules");
        for (std::size_t i = 0; i < found->size(); ++i) {
            auto rule = one((*found)[i], std::string(listKey) + '[' + std::to_string(i) + ']', valueKey);
            if (!rule)
                return passOn(rule);
            rules.push_back(std::move(*rule));
        }
        return rules;
    }

    tl::unexpected<Error> wrong(const std::string &key, const char *expected) const {
        return failure("The rules for kernel names are not valid: \"" + key + "\" must be " + expected, where_,
                       "correct the file or remove it");
    }

private:
    Expected<Rule> one(const Json &json, const std::string &key, const char *valueKey) const {
        if (!json.is_object())
            return wrong(key, "an object");
        const auto value = json.find(valueKey);
        if (value == json.end() || !value->is_string() || value->get_ref<const std::string &>().empty())
            return wrong(key + '.' + valueKey, "a text that is not empty");
        Rule rule;
        rule.value = *value;
        if (const auto flag = json.find("ignore_case"); flag != json.end()) {
            if (!flag->is_boolean())
                return wrong(key + ".ignore_case", "true or false");
            rule.ignoreCase = *flag;
        }
        if (const auto after = json.find("after_last"); after != json.end()) {
            if (!after->is_string())
                return wrong(key + ".after_last", "a text");
            rule.afterLast = fold(*after, rule.ignoreCase);
        }
        return withTexts(std::move(rule), json, key);
    }

    Expected<Rule> withTexts(Rule rule, const Json &json, const std::string &key) const {
        auto any = texts(json, "any", key);
        if (!any)
            return passOn(any);
        if (any->empty())
            return wrong(key + ".any", "a list of at least one pattern");
        auto except = texts(json, "except", key);
        if (!except)
            return passOn(except);
        for (const std::string &pattern : *any)
            rule.any.emplace_back(fold(pattern, rule.ignoreCase));
        for (const std::string &text : *except)
            rule.except.push_back(fold(text, rule.ignoreCase));
        return rule;
    }

    Expected<std::vector<std::string>> texts(const Json &json, const char *name, const std::string &key) const {
        std::vector<std::string> out;
        const auto found = json.find(name);
        if (found == json.end())
            return out;
        const auto isText = [](const Json &each) { return each.is_string() && !each.get_ref<const std::string &>().empty(); };
        if (!found->is_array() || !std::all_of(found->begin(), found->end(), isText))
            return wrong(key + '.' + name, "a list of texts that are not empty");
        for (const Json &each : *found)
            out.push_back(each);
        return out;
    }

    static std::string fold(const std::string &text, bool ignoreCase) { return ignoreCase ? lowered(text) : text; }

    std::string where_;
};

}  // namespace

struct KernelClassifier::Rules {
    std::vector<Rule> opClasses, precisions;

    // Appends the rules of one file.
    Status read(const std::string &content, const std::string &where) {
        const RuleReader reader(where);
        const Json document = Json::parse(content, nullptr, false, true);
        if (!document.is_object())
            return reader.wrong("", "a JSON object with \"op_classes\" and \"precisions\"");
        auto classes = reader.list(document, "op_classes", "class");
        if (!classes)
            return passOn(classes);
        auto kinds = reader.list(document, "precisions", "precision");
        if (!kinds)
            return passOn(kinds);
        std::move(classes->begin(), classes->end(), std::back_inserter(opClasses));
        std::move(kinds->begin(), kinds->end(), std::back_inserter(precisions));
        return {};
    }
};

KernelClassifier::KernelClassifier(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {}
KernelClassifier::~KernelClassifier() = default;
KernelClassifier::KernelClassifier(KernelClassifier &&) noexcept = default;
KernelClassifier &KernelClassifier::operator=(KernelClassifier &&) noexcept = default;

Status KernelClassifier::readShipped(Rules &rules) {
    const auto content = resources::builtIn(kFile);
    if (!content)
        return failure("The rules for kernel names are missing from this build", kFile, "build it again");
    return rules.read(std::string(*content), std::string("built in: ") + kFile);
}

const Expected<std::shared_ptr<const KernelClassifier::Rules>> &KernelClassifier::shipped() {
    static const auto rules = []() -> Expected<std::shared_ptr<const Rules>> {
        auto read = std::make_shared<Rules>();
        if (Status status = readShipped(*read); !status)
            return passOn(status);
        return read;
    }();
    return rules;
}

Expected<KernelClassifier> KernelClassifier::load() {
    const std::string own = resources::configFolder() + '/' + kFile;
    std::ifstream in(own, std::ios::binary);
    if (!in) {
        // Read once: few have rules of their own, and every import asks.
        const auto &rules = shipped();
        if (!rules)
            return tl::make_unexpected(rules.error());
        return KernelClassifier(*rules);
    }
    auto rules = std::make_shared<Rules>();
    const std::string content(std::istreambuf_iterator<char>(in), {});
    if (Status status = rules->read(content, own); !status)
        return passOn(status);
    if (Status status = readShipped(*rules); !status)
        return passOn(status);
    return KernelClassifier(std::move(rules));
}

KernelClass KernelClassifier::classify(std::string_view kernelName) const {
    std::string shortened;
    if (kernelName.size() > kInspected) {
        shortened.append(kernelName.substr(0, kInspected / 2)).append(kernelName.substr(kernelName.size() - kInspected / 2));
        kernelName = shortened;
    }
    const Name name{kernelName, lowered(kernelName)};
    const auto first = [&name](const std::vector<Rule> &rules, const char *otherwise) {
        const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule &rule) { return rule.fits(name); });
        return found == rules.end() ? std::string(otherwise) : found->value;
    };
    return {first(rules_->opClasses, "other"), first(rules_->precisions, "")};
}

}  // namespace wattproof::importers
