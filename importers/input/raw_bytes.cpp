#include "importers/input/raw_bytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wattproof::importers {

struct RawBytes::Hash {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool usable = context && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1;

    Hash() = default;
    Hash(const Hash &) = delete;
    Hash &operator=(const Hash &) = delete;
    ~Hash() { EVP_MD_CTX_free(context); }

    void add(std::span<const char> bytes) {
        usable = usable && EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1;
    }

    std::string hex() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned int length = 0;
        if (!usable || EVP_DigestFinal_ex(context, digest.data(), &length) != 1)
            return {};
        static constexpr char kDigits[] = "0123456789abcdef";
        std::string text;
        for (unsigned int i = 0; i < length; ++i) {
            text += kDigits[digest[i] >> 4U];
            text += kDigits[digest[i] & 15U];
        }
        return text;
    }
};

RawBytes::RawBytes() : hash_(std::make_unique<Hash>()) {}

RawBytes::~RawBytes() = default;

Expected<std::size_t> RawBytes::read(std::span<char> buffer) {
    auto got = fetch(buffer);
    if (!got)
        return got;
    hash_->add(buffer.first(*got));
    consumed_ += *got;
    return got;
}

Expected<std::string> RawBytes::sha256() {
    if (!digest_.empty())
        return digest_;
    std::vector<char> buffer(std::size_t{256} << 10U);
    for (;;) {
        auto got = read(buffer);
        if (!got)
            return passOn(got);
        if (*got == 0)
            break;
    }
    digest_ = hash_->hex();
    if (digest_.empty())
        return failure("The SHA-256 of the file could not be computed");
    return digest_;
}

namespace {

class FileBytes final : public RawBytes {
public:
    FileBytes(int descriptor, std::string path, const struct stat &info)
        : descriptor_(descriptor),
          path_(std::move(path)),
          size_(static_cast<std::uint64_t>(info.st_size)),
          changed_(info.st_mtim) {
        ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    FileBytes(const FileBytes &) = delete;
    FileBytes &operator=(const FileBytes &) = delete;
    ~FileBytes() override { ::close(descriptor_); }

    std::size_t peek(std::span<char> buffer) const override {
        std::size_t filled = 0;
        while (filled < buffer.size()) {
            const ssize_t got =
                ::pread(descriptor_, buffer.data() + filled, buffer.size() - filled, static_cast<off_t>(filled));
            if (got <= 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        return filled;
    }

    std::uint64_t size() const override { return size_; }

protected:
    Expected<std::size_t> fetch(std::span<char> buffer) override {
        // No further than the file went when it was opened: a file that grows as fast as it is read would have no
        // end. What the system makes up while it is read (/proc) states no size.
        const std::uint64_t left = size_ == 0 ? buffer.size() : size_ - std::min(size_, consumed());
        const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left));
        for (;;) {
            const ssize_t got = ::read(descriptor_, buffer.data(), most);
            if (got == 0)
                noteChange();
            if (got >= 0)
                return static_cast<std::size_t>(got);
            if (errno != EINTR)
                return failure("The file cannot be read further: " + std::string(std::strerror(errno)),
                               path_ + ", byte " + std::to_string(consumed()));
        }
    }

private:
    void noteChange() {
        struct stat now {};
        const bool same = ::fstat(descriptor_, &now) == 0 && static_cast<std::uint64_t>(now.st_size) == size_ &&
                          now.st_mtim.tv_sec == changed_.tv_sec && now.st_mtim.tv_nsec == changed_.tv_nsec;
        if (!same && size_ != 0)
            damage_ = "The file was written to while it was read: what was read is that of its first " +
                      std::to_string(consumed()) + " bytes; import it again when it is complete";
    }

    int descriptor_;
    std::string path_;
    std::uint64_t size_;
    struct timespec changed_;
};

class MemoryBytes final : public RawBytes {
public:
    explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}

    std::size_t peek(std::span<char> buffer) const override {
        return bytes_.copy(buffer.data(), buffer.size(), 0);
    }
    std::uint64_t size() const override { return bytes_.size(); }

protected:
    Expected<std::size_t> fetch(std::span<char> buffer) override {
        return bytes_.copy(buffer.data(), buffer.size(), static_cast<std::size_t>(consumed()));
    }

private:
    std::string bytes_;
};

const char *otherKind(mode_t mode) {
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

}  // namespace

Expected<std::unique_ptr<RawBytes>> RawBytes::open(const std::string &path) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return failure("The file cannot be opened: " + std::string(std::strerror(errno)), path,
                       "check the path and its permissions");
    struct stat info {};
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        ::close(descriptor);
        return failure("This is " + std::string(otherKind(info.st_mode)) + ", not a file", path,
                       "give the trace or log file itself");
    }
    return std::make_unique<FileBytes>(descriptor, path, info);
}

std::unique_ptr<RawBytes> RawBytes::inMemory(std::string bytes) {
    return std::make_unique<MemoryBytes>(std::move(bytes));
}

}  // namespace wattproof::importers
