#include "importers/perfetto/inflate.h"

#include <algorithm>
#include <memory>
#include <type_traits>

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

namespace wattproof::importers::perfetto {
namespace {

constexpr std::size_t kStep = std::size_t{256} << 10U;

tl::unexpected<Error> tooLarge() {
    return failure("A packet of compressed packets unpacks to more than 64 MiB: it was skipped.");
}

tl::unexpected<Error> damaged() {
    return failure("A packet of compressed packets is damaged: it was skipped.");
}

}  // namespace

Status inflatePackets(std::string_view compressed, std::string &out) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return damaged();
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> guard(&stream, &inflateEnd);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(compressed.data()));
    stream.avail_in = static_cast<uInt>(compressed.size());
    out.clear();
    for (int code = Z_OK; code != Z_STREAM_END;) {
        const std::size_t filled = out.size();
        if (filled >= kLargestBundle)
            return tooLarge();
        out.resize(filled + std::max(kStep, filled));
        stream.next_out = reinterpret_cast<Bytef *>(out.data() + filled);
        stream.avail_out = static_cast<uInt>(out.size() - filled);
        code = inflate(&stream, Z_NO_FLUSH);
        out.resize(out.size() - stream.avail_out);
        if (code != Z_OK && code != Z_STREAM_END)
            return damaged();
    }
    return {};
}

Status unpackZstd(std::string_view compressed, std::string &out) {
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(), &archive_read_free);
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_entry *entry = nullptr;
    if (archive_read_open_memory(reader.get(), compressed.data(), compressed.size()) != ARCHIVE_OK ||
        archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK)
        return damaged();
    out.clear();
    for (;;) {
        const std::size_t filled = out.size();
        if (filled >= kLargestBundle)
            return tooLarge();
        out.resize(filled + kStep);
        const la_ssize_t got = archive_read_data(reader.get(), out.data() + filled, kStep);
        out.resize(filled + static_cast<std::size_t>(std::max<la_ssize_t>(got, 0)));
        if (got < 0)
            return damaged();
        if (got == 0)
            return {};
    }
}

}  // namespace wattproof::importers::perfetto
