// Removes compression. A stream that is cut or damaged gives all that was whole before, then 0, and says so in
// damage().
#pragma once

#include "importers/input/raw_bytes.h"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace wattproof::importers {

class Decoder {
public:
    // The one that fits the first bytes, whatever the file's name says. The bytes must outlive the decoder.
    [[nodiscard]] static Expected<std::unique_ptr<Decoder>> forBytes(RawBytes &);

    virtual ~Decoder() = default;
    [[nodiscard]] virtual Expected<std::size_t> read(std::span<char> buffer) = 0;
    [[nodiscard]] const std::string &damage() const { return damage_; }

protected:
    std::string damage_;
};

[[nodiscard]] std::unique_ptr<Decoder> makePlainDecoder(RawBytes &);
[[nodiscard]] std::unique_ptr<Decoder> makeGzipDecoder(RawBytes &);
// zstd, xz, bzip2; of a zip the first member that is not documentation.
[[nodiscard]] Expected<std::unique_ptr<Decoder>> makeArchiveDecoder(RawBytes &);


// Reads until the buffer is full or the reader (a Decoder, or alike) has no more; how much that was.
template <class Reader>
[[nodiscard]] Expected<std::size_t> readFully(Reader &reader, std::span<char> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        Expected<std::size_t> got = reader.read(buffer.subspan(filled));
        if (!got)
            return got;
        if (*got == 0)
            break;
        filled += *got;
    }
    return filled;
}

// Whether text that begins so is UTF-16, and then of which byte order: by its mark, or as ASCII characters with zeros
// between them.
[[nodiscard]] std::optional<bool> utf16BigEndian(std::span<const char> head);
// UTF-8 from UTF-16; `first` are bytes that were read from `inner` already.
[[nodiscard]] std::unique_ptr<Decoder> makeUtf16Decoder(std::unique_ptr<Decoder> inner, std::string first,
                                                        bool bigEndian);

}  // namespace wattproof::importers
