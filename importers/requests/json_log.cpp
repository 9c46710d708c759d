#include "importers/requests/json_log.h"

#include "importers/profile/json_items.h"
#include "importers/requests/figures.h"
#include "importers/requests/json_text.h"
#include "importers/requests/vllm_columns.h"

#include <algorithm>
#include <unordered_map>

namespace wattproof::importers::requests {
namespace {

void noteJsonEnd(LogRun &run, const JsonEnd &end) {
    if (end.whole)
        return;
    const std::string place = "byte " + std::to_string(end.offset);
    run.tally().add(
        "truncated_input", 0,
        end.cut ? "the document ends before it should, at " + place + "; what was whole was read"
                : "the document is damaged at " + place + ": " + end.reason + "; what stands before was read");
}

// Members of one object, bound once by their key.
class ListLog {
public:
    explicit ListLog(LogRun &run) : run_(run), requests_(run), figures_(run) {}

    void take(const JsonItem &item) {
        cells_.clear();
        slices_.clear();
        texts_.clear();
        texts_.reserve(item.leaves().size());
        for (const JsonItem::Leaf &leaf : item.leaves())
            takeLeaf(leaf);
        if (!status_)
            return;
        if (run_.rules().holdsRequests())
            status_ = requests_.take(cells_, 0);
        else if (run_.rules().has(Field::Value) || !run_.rules().figures.empty())
            figures_.take(cells_, slices_, 0);
        else
            countOnly();
    }
    [[nodiscard]] const Status &status() const { return status_; }

private:
    void countOnly() {
        run_.countRecord();
        run_.tally().add("unread_section", 0,
                         "answers of the model are no figures: score them with the benchmark's accuracy script");
    }

    void takeLeaf(const JsonItem::Leaf &leaf) {
        const BoundField &field = bindingOf(leaf.key);
        if (field.field == Field::None || leaf.value.kind == JsonValue::Kind::Null)
            return;
        const std::string_view text = texts_.emplace_back(textOf(leaf.value));
        if (field.field == Field::Slice && !text.empty())
            slices_.push_back({leaf.key, text});
        else
            cells_.take(field, leaf.key, text);
    }

    const BoundField &bindingOf(const std::string &key) {
        const auto it = bindings_.find(key);
        if (it != bindings_.end())
            return it->second;
        if (bindings_.size() >= kMostKeys)
            return unknown_;
        return bindings_.emplace(key, bindField(run_.rules(), key)).first->second;
    }

    static constexpr std::size_t kMostKeys = 10'000;

    LogRun &run_;
    RequestReader requests_;
    FigureRows figures_;
    std::unordered_map<std::string, BoundField> bindings_;
    BoundField unknown_;
    CellTexts cells_;
    std::vector<CellTexts::Attribute> slices_;
    std::vector<std::string> texts_;  // reserved for all members of an object: views of them stay valid
    Status status_;
};

// A document's single values, each handed on when the next one shows that it was whole.
class HeldValue {
public:
    explicit HeldValue(FigureValues &to) : to_(to) {}
    void hold(std::string_view path, const JsonValue &value) {
        release();
        path_ = path;
        text_ = textOf(value);
        held_ = value.kind != JsonValue::Kind::Null;
    }
    void release() {
        if (held_)
            to_.take(path_, text_);
        held_ = false;
    }

private:
    FigureValues &to_;
    std::string path_, text_;
    bool held_ = false;
};

// Whether a value was taken by another.
using TakeValue = std::function<bool(std::string_view path, const JsonValue &)>;

Status readDocument(LogRun &run, JsonVisitor visitor, const TakeValue &other) {
    FigureValues values(run);
    HeldValue held(values);
    visitor.value = [&](std::string_view path, const JsonValue &value, std::uint64_t) {
        if (other && other(path, value))
            held.release();
        else
            held.hold(path, value);
    };
    visitor.closed = [](std::string_view) {};
    visitor.checkpoint = [&run] { return run.checkpoint(); };
    const auto end = readJsonItems(run.input(), visitor);
    if (!end)
        return tl::unexpected(end.error());
    if (end->whole)
        held.release();
    values.finish();
    noteJsonEnd(run, *end);
    return {};
}

bool isNever(std::string_view) {
    return false;
}

void ignoreItem(std::string_view, const JsonItem &, std::uint64_t) {}

}  // namespace

Status readList(LogRun &run) {
    ListLog list(run);
    const std::vector<std::string> &lists = run.rules().lists;
    JsonVisitor visitor;
    visitor.isItem = [&lists](std::string_view path) {
        return std::find(lists.begin(), lists.end(), path) != lists.end();
    };
    visitor.item = [&list](std::string_view, const JsonItem &item, std::uint64_t) { list.take(item); };
    const Status status = readDocument(run, std::move(visitor), {});
    return status ? list.status() : status;
}

Status readObject(LogRun &run) {
    JsonVisitor visitor;
    visitor.isItem = isNever;
    visitor.item = ignoreItem;
    return readDocument(run, std::move(visitor), {});
}

Status readColumns(LogRun &run) {
    VllmColumns columns;
    JsonVisitor visitor;
    visitor.isItem = isNever;
    visitor.item = ignoreItem;
    visitor.listClosed = [&columns](std::string_view path) { columns.closeList(path); };
    const Status status = readDocument(
        run, std::move(visitor),
        [&columns](std::string_view path, const JsonValue &value) { return columns.take(path, value); });
    return status ? columns.write(run) : status;
}

}  // namespace wattproof::importers::requests
