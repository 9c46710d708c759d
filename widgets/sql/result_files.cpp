#include "widgets/sql/result_files.h"

#include "widgets/panes/words.h"
#include "widgets/tables/csv.h"

#include <functional>

#include <QFileInfo>
#include <QSaveFile>
#include <nlohmann/json.hpp>

namespace wattproof::widgets {
namespace {

using nlohmann::json;

constexpr int kDocumentVersion = 1;
constexpr std::size_t kRowsBetweenReports = 4096;

QByteArray csvText(const std::string &text, int type) {
    const QString cell = qs(text);
    return csvCell(type == store::kText ? notAFormula(cell) : cell, QLatin1Char(',')).toUtf8();
}

QByteArray csvHead(const store::QueryResult &result) {
    QByteArrayList cells;
    for (const std::string &column : result.columns)
        cells << csvText(column, store::kText);
    return cells.join(',') + "\r\n";
}

QByteArray csvRow(const store::QueryResult &result, std::size_t row) {
    QByteArrayList cells;
    for (std::size_t column = 0; column < result.columns.size(); ++column)
        cells << csvText(result.rows[row][column], result.types[row][column]);
    return cells.join(',') + "\r\n";
}

QByteArray dumped(const json &value) {
    return QByteArray::fromStdString(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

json jsonCell(const std::string &text, int type) {
    switch (type) {
        case store::kNull:
            return nullptr;
        case store::kInteger:
            return std::strtoll(text.c_str(), nullptr, 10);
        case store::kFloat:
            return std::strtod(text.c_str(), nullptr);
        default:
            return text;
    }
}

// The document of `wattproof query --format json`, a row a line.
QByteArray jsonHead(const store::QueryResult &result) {
    return "{\"schema_version\": " + QByteArray::number(kDocumentVersion) +
           ", \"truncated\": " + (result.truncated ? "true" : "false") + ",\n\"columns\": " + dumped(result.columns) +
           ",\n\"rows\": [";
}

QByteArray jsonRow(const store::QueryResult &result, std::size_t row) {
    json cells = json::array();
    for (std::size_t column = 0; column < result.columns.size(); ++column)
        cells.push_back(jsonCell(result.rows[row][column], result.types[row][column]));
    return dumped(cells);
}

Status cannotWrite(const QSaveFile &file) {
    return failure("The file cannot be written: " + file.errorString().toStdString(), file.fileName().toStdString(),
                   "choose another folder or free some space");
}

}  // namespace

Status writeResult(const store::QueryResult &result, const RowOrder &order, const QString &path, const Task &task) {
    const bool asJson = QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return cannotWrite(file);
    file.write(asJson ? jsonHead(result) : csvHead(result));
    for (std::size_t row = 0; row < result.rows.size(); ++row) {
        if (row % kRowsBetweenReports == 0) {
            if (task.cancelled())
                return cancelled();
            task.report({"Writing rows", row, result.rows.size(), "rows"});
        }
        if (asJson)
            file.write((row == 0 ? "\n" : ",\n") + jsonRow(result, rowAt(order, row)));
        else
            file.write(csvRow(result, rowAt(order, row)));
    }
    if (asJson)
        file.write("]}\n");
    return file.error() == QFileDevice::NoError && file.commit() ? Status() : cannotWrite(file);
}

}  // namespace wattproof::widgets
