#include "store/pages/loader.h"

#include <future>
#include <utility>

namespace wattproof::store::pages {

Expected<std::map<std::string, PageNumber>> Loader::rootsOf(const sqlite::Database &database) {
    auto statement = database.prepare("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0");
    if (!statement)
        return passOn(statement);
    std::map<std::string, PageNumber> roots;
    while (statement->step())
        roots.emplace(statement->string(0), static_cast<PageNumber>(statement->integer(1)));
    if (Status status = statement->status(); !status)
        return passOn(status);
    return roots;
}

Expected<std::unique_ptr<Loader>> Loader::open(const std::string &path, std::map<std::string, PageNumber> roots) {
    std::unique_ptr<Loader> loader(new Loader(std::move(roots)));
    if (Status status = loader->file_.open(path); !status)
        return passOn(status);
    return loader;
}

TableBuilder *Loader::table(const std::string &name) {
    if (const auto known = tables_.find(name); known != tables_.end())
        return &known->second;
    const auto root = roots_.find(name);
    return root == roots_.end() ? nullptr : &tables_.try_emplace(name, file_, root->second).first->second;
}

IndexBuilder *Loader::index(const std::string &name) {
    if (const auto known = indexes_.find(name); known != indexes_.end())
        return &known->second;
    const auto root = roots_.find(name);
    return root == roots_.end() ? nullptr : &indexes_.try_emplace(name, file_, root->second).first->second;
}

std::vector<std::string> Loader::incompleteIndexes() const {
    std::vector<std::string> names;
    for (const auto &index : indexes_) {
        if (!index.second.complete())
            names.push_back(index.first);
    }
    return names;
}

Status Loader::finish(const std::stop_token &stop) {
    std::vector<std::pair<IndexBuilder *, std::future<bool>>> sorted;
    for (auto &index : indexes_)
        sorted.emplace_back(&index.second, std::async(std::launch::async, [&builder = index.second, &stop] {
                                return builder.sort(stop);
                            }));
    for (auto &table : tables_)
        table.second.finish();
    for (auto &[index, done] : sorted) {
        if (!done.get())
            return cancelled();
        index->finish();
    }
    return file_.close();
}

}  // namespace wattproof::store::pages
