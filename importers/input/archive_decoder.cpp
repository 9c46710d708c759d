#include "importers/input/decoder.h"
#include "importers/text/mended.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

namespace wattproof::importers {
namespace {

bool isDocumentation(std::string_view member) {
    constexpr std::array<std::string_view, 6> kEndings{".md", ".pdf", ".png", ".jpg", ".html.txt", ".DS_Store"};
    const std::string_view name = member.substr(member.find_last_of('/') + 1);
    return member.starts_with("__MACOSX") || name.empty() || name.starts_with(".") || name.starts_with("README") ||
           name.starts_with("LICENSE") ||
           std::any_of(kEndings.begin(), kEndings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

class ArchiveDecoder final : public Decoder {
public:
    explicit ArchiveDecoder(RawBytes &raw)
        : raw_(raw), buffer_(std::size_t{128} << 10U), archive_(archive_read_new()) {
        archive_read_support_filter_zstd(archive_);
        archive_read_support_filter_xz(archive_);
        archive_read_support_filter_bzip2(archive_);
        archive_read_support_format_zip_streamable(archive_);
        archive_read_support_format_raw(archive_);
    }
    ArchiveDecoder(const ArchiveDecoder &) = delete;
    ArchiveDecoder &operator=(const ArchiveDecoder &) = delete;
    ~ArchiveDecoder() override { archive_read_free(archive_); }

    Status begin() {
        if (archive_read_open(archive_, this, nullptr, &ArchiveDecoder::feed, nullptr) != ARCHIVE_OK)
            return refused();
        archive_entry *entry = nullptr;
        const int code = nextFile(entry);
        if (code == ARCHIVE_EOF)
            return failure("The archive holds no file that could be a trace or a log");
        if (code != ARCHIVE_OK)
            return refused();
        if (archive_entry_is_encrypted(entry) != 0)
            return failure("The archive is protected by a password", {}, "unpack it and give the file inside");
        return {};
    }

    Expected<std::size_t> read(std::span<char> out) override {
        std::size_t filled = 0;
        while (filled < out.size() && !ended_) {
            const la_ssize_t got = archive_read_data(archive_, out.data() + filled, out.size() - filled);
            ended_ = got <= 0;
            if (got == 0)
                nameOthers();
            else if (got < 0)
                damage_ = "The compressed stream is cut or damaged near byte " + std::to_string(raw_.consumed()) +
                          " of the file; all that was whole before was read";
            else
                filled += static_cast<std::size_t>(got);
        }
        return filled;
    }

private:
    static la_ssize_t feed(archive *, void *self, const void **block) {
        auto &decoder = *static_cast<ArchiveDecoder *>(self);
        auto got = decoder.raw_.read(decoder.buffer_);
        *block = decoder.buffer_.data();
        return got ? static_cast<la_ssize_t>(*got) : -1;
    }

    // The next member that could be a trace or a log.
    int nextFile(archive_entry *&entry) {
        int code = ARCHIVE_OK;
        while ((code = archive_read_next_header(archive_, &entry)) == ARCHIVE_OK || code == ARCHIVE_WARN) {
            const char *name = archive_entry_pathname(entry);
            if (archive_entry_filetype(entry) != AE_IFDIR && !isDocumentation(name ? name : "data"))
                return ARCHIVE_OK;
        }
        return code;
    }

    // One trace is one source: what else the archive holds is named, not read.
    void nameOthers() {
        constexpr int kMostNamed = 3;
        std::string names;
        archive_entry *entry = nullptr;
        for (int count = 0; nextFile(entry) == ARCHIVE_OK; ++count) {
            const char *name = archive_entry_pathname(entry);
            if (count == kMostNamed) {
                names += " and others";
                break;
            }
            names += std::string(count > 0 ? ", " : "") + mendedText(name ? name : "data");
        }
        if (!names.empty())
            damage_ = "The archive holds more files than the one that was read; unpack it and give them too: " +
                      names;
    }

    tl::unexpected<Error> refused() const {
        const char *why = archive_error_string(archive_);
        return failure("The compressed file cannot be read" + (why ? ": " + std::string(why) : std::string()), {},
                       "unpack it and give the file inside");
    }

    RawBytes &raw_;
    std::vector<char> buffer_;
    archive *archive_;
    bool ended_ = false;
};

}  // namespace

Expected<std::unique_ptr<Decoder>> makeArchiveDecoder(RawBytes &raw) {
    auto decoder = std::make_unique<ArchiveDecoder>(raw);
    if (auto status = decoder->begin(); !status)
        return passOn(status);
    return decoder;
}

}  // namespace wattproof::importers
