#include "report/draw/write_report.h"

#include <filesystem>

#include <QSaveFile>

#include "report/draw/evidence_picture.h"
#include "report/draw/pdf.h"
#include "report/report.h"

namespace wattproof::draw {
namespace {

constexpr QSize kPictureSize(1000, 360);

Status writeText(const std::string &text, const std::string &path) {
    QSaveFile file(QString::fromStdString(path));
    const auto size = static_cast<qint64>(text.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.commit())
        return failure("The report cannot be written: " + file.errorString().toStdString(), path,
                       "free some space or choose another folder");
    return {};
}

}  // namespace

Status writeReport(store::Workspace &workspace, const analysis::AnalysisResult &analysis,
                   const std::optional<analysis::AnalysisResult> &baseline, const std::string &path) {
    auto report = report::buildReport(workspace, analysis);
    if (!report)
        return passOn(report);
    report->baseline = baseline;
    auto reader = workspace.reader();
    if (!reader)
        return passOn(reader);
    const auto clamps = workspace.analysisStore().clamps();
    const std::vector<ClampMark> marks = clamps ? clampMarks(*clamps) : std::vector<ClampMark>();
    const report::PictureFn picture = [&](TimeRange range, const std::vector<std::string> &tracks) {
        return evidenceSvg(**reader, range, tracks, lightTheme(), kPictureSize, marks);
    };
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending == ".html" || ending == ".htm")
        return writeText(report::toHtml(*report, picture), path);
    if (ending == ".json")
        return writeText(report::toJson(*report), path);
    if (ending == ".md")
        return writeText(report::toMarkdown(*report), path);
    if (ending == ".pdf")
        return writePdf(*report, picture, path);
    return failure("The ending of the file name does not say which format to write", path,
                   "use .html, .pdf, .md or .json");
}

}  // namespace wattproof::draw
