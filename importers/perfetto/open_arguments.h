// Arguments of a begin and of its end are one set. The set of the begin is written when it is met; when its end
// brings more, the joined set replaces it.
#pragma once

#include "importers/perfetto/annotation_writer.h"
#include "importers/perfetto/track_table.h"

#include <memory>

namespace wattproof::importers::perfetto {

class ArgumentJoiner {
public:
    explicit ArgumentJoiner(AnnotationWriter &annotations) : annotations_(annotations) {}

    // The arguments at hand belong to a begin or an end among those of `open` (made when needed). For an end,
    // `whole` says that the set returned replaces that of its begin.
    [[nodiscard]] ArgSetId begin(std::unique_ptr<OpenArguments> &open, Ns ts);
    [[nodiscard]] ArgSetId end(std::unique_ptr<OpenArguments> &open, Ns ts, bool &whole);

private:
    // Texts of begins that may be kept, over all tracks.
    static constexpr std::size_t kMostText = std::size_t{64} << 20U;

    AnnotationWriter &annotations_;
    std::size_t kept_ = 0;
};

}  // namespace wattproof::importers::perfetto
