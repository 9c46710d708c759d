// gzip through zlib itself: libarchive drops up to 64 KiB of good data before a cut, and the last events of a
// killed program are the ones people need.
#include "importers/input/decoder.h"

#include <vector>

#include <zlib.h>

namespace wattproof::importers {
namespace {

class GzipDecoder final : public Decoder {
public:
    explicit GzipDecoder(RawBytes &raw) : raw_(raw), buffer_(std::size_t{128} << 10U) {
        usable_ = inflateInit2(&stream_, kGzipWindow) == Z_OK;
    }
    GzipDecoder(const GzipDecoder &) = delete;
    GzipDecoder &operator=(const GzipDecoder &) = delete;
    ~GzipDecoder() override { inflateEnd(&stream_); }

    Expected<std::size_t> read(std::span<char> out) override {
        stream_.next_out = reinterpret_cast<Bytef *>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        while (stream_.avail_out > 0 && !finished_) {
            if (stream_.avail_in == 0) {
                if (auto status = refill(); !status)
                    return passOn(status);
            }
            step();
        }
        return out.size() - stream_.avail_out;
    }

private:
    static constexpr int kGzipWindow = 15 + 16;

    Status refill() {
        auto got = raw_.read(buffer_);
        if (!got)
            return passOn(got);
        stream_.next_in = reinterpret_cast<Bytef *>(buffer_.data());
        stream_.avail_in = static_cast<uInt>(*got);
        return {};
    }

    void step() {
        if (!usable_)
            return stop("The gzip stream cannot be read: there is no memory for it");
        if (betweenMembers_)
            return beginMember();
        // Without further input there may still be output that did not fit before.
        const bool noInput = stream_.avail_in == 0;
        const int code = inflate(&stream_, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            betweenMembers_ = true;
        else if (noInput && code == Z_BUF_ERROR)
            stop("The gzip stream is cut");
        else if (code != Z_OK && code != Z_BUF_ERROR)
            stop("The gzip stream is damaged");
    }

    // After a member: another one, zeros that pad a block device, the end, or bytes that do not belong here.
    void beginMember() {
        while (stream_.avail_in > 0 && *stream_.next_in == 0) {
            ++stream_.next_in;
            --stream_.avail_in;
        }
        if (stream_.avail_in == 0) {
            finished_ = raw_.consumed() >= raw_.size();
            return;
        }
        if (*stream_.next_in != 0x1f)
            return stop("Bytes that are not gzip follow the gzip stream");
        betweenMembers_ = false;
        usable_ = inflateReset(&stream_) == Z_OK;
    }

    void stop(const char *what) {
        finished_ = true;
        damage_ = std::string(what) + " at byte " + std::to_string(raw_.consumed() - stream_.avail_in) +
                  " of the file; all that came before was read";
    }

    RawBytes &raw_;
    std::vector<char> buffer_;
    z_stream stream_{};
    bool usable_ = false;
    bool betweenMembers_ = false;
    bool finished_ = false;
};

}  // namespace

std::unique_ptr<Decoder> makeGzipDecoder(RawBytes &raw) {
    return std::make_unique<GzipDecoder>(raw);
}

}  // namespace wattproof::importers
