// The worker's side of opening: from paths to an open workspace. No widget, no signal; everything blocks.
#pragma once

#include "analysis/alignment/align.h"
#include "widgets/import_service.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wattproof::widgets {

struct Opened {
    std::shared_ptr<store::Workspace> workspace;
    ImportOutcome outcome;  // empty when nothing had to be imported
    std::shared_ptr<const analysis::AnalysisResult>
        analysis;                   // as stored; null: none, or it cannot be read any more
    std::vector<std::string> left;  // further workspaces among the paths: not opened
    bool imported = false;
};

// Opens the workspace among the paths and adds the data files to it; without one, imports all files into a
// workspace in cacheFolder. A workspace that the same program made of the same, unchanged files is opened instead
// of made again. `current` (may be null) is handed back when it turns out to be the one asked for: a process opens
// a file once.
struct Loading {
    ImportService &service;
    std::string cacheFolder;
    std::shared_ptr<store::Workspace> current;
    TracePart part = {};  // of the traces that are imported
    FileChoices choices = {};  // made for single files: they are imported anew, the workspace made so is opened from now on
    bool anew = false;    // the files' workspace in the cache is damaged: make another one, which is opened from now on
};
[[nodiscard]] Expected<Opened> loadFiles(const Loading &, const std::vector<std::string> &paths, const Task &);

// The files of a damaged workspace, imported into a new one in the cache with the parts that were asked for.
struct Rebuilt {
    Opened opened;
    std::vector<std::string> files;
};
[[nodiscard]] Expected<Rebuilt> importSourcesAnew(Loading, store::Workspace &damaged, const Task &);

// Name of the workspace of these files in the cache: "<first file>-<hash>.wattproof". The hash covers each path,
// size and time of change, the part, and the program itself, so that neither a changed file nor a newer importer
// meets an old workspace.
[[nodiscard]] std::string cachePathOf(const std::string &cacheFolder, const std::vector<std::string> &files,
                                      const TracePart &part = {});

enum class Way { Open, Add };  // in place of what is open, or into it

// The largest of the data files among the paths, if importing it takes a while: it has at least `least` bytes, and
// there is no workspace of these files in the cache that would be opened instead.
struct LargeFile {
    std::string path;
    std::uint64_t bytes = 0;
};
[[nodiscard]] std::optional<LargeFile> largeFileAmong(const Loading &, const std::vector<std::string> &paths,
                                                      Way, std::uint64_t least);

// What there is to ask before these paths are opened or added. Nothing, of files that are clear by themselves.
struct Prospect {
    std::vector<std::string> data, workspaces;
    std::vector<FileLook> seen;  // looks that were taken on the way
    std::optional<LargeFile> large;
    bool ask = false;  // the import dialog
};
// always: asks although all is clear.
[[nodiscard]] Expected<Prospect> prospectOf(const Loading &, const std::vector<std::string> &paths, Way,
                                            std::uint64_t least, bool always, const Task &);

struct Realigned {
    std::vector<analysis::SourceAlignment> alignments;
    std::vector<SourceRow> sources;  // to name them
};
[[nodiscard]] Expected<Realigned> realign(store::Workspace &, std::optional<SourceId> only, const Task &);

}  // namespace wattproof::widgets
