#include "store/public_views.h"

#include "store/schema/schema.h"

namespace wattproof::store {

Expected<std::vector<PublicView>> publicViews() {
    auto database = schema::viewsAlone();
    if (!database)
        return passOn(database);
    std::vector<PublicView> views;
    for (const std::string &name : schema::viewNames()) {
        auto statement = (*database)->prepare("SELECT * FROM " + name);
        if (!statement)
            return passOn(statement);
        PublicView view{name, {}};
        for (int column = 0; column < statement->columns(); ++column)
            view.columns.push_back(statement->columnName(column));
        views.push_back(std::move(view));
    }
    return views;
}

std::string exampleQuery() {
    return "SELECT name, count(*) AS n, sum(dur) / 1e6 AS ms\nFROM slices\nGROUP BY name ORDER BY ms DESC";
}

}  // namespace wattproof::store
