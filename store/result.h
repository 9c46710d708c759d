// Errors are values: a sentence a user can act on. No exception crosses a folder's boundary.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace wattproof {

// what: what went wrong. where: file, byte offset or line, may be empty. remedy: what to do, may be empty.
struct Error {
    std::string what;
    std::string where;
    std::string remedy;

    // "what (where): remedy" as one sentence for standard error, a banner or a log.
    [[nodiscard]] std::string sentence() const;
};

template <class T>
using Expected = tl::expected<T, Error>;
using Status = Expected<void>;

[[nodiscard]] inline tl::unexpected<Error> failure(std::string what, std::string where = {}, std::string remedy = {}) {
    return tl::unexpected<Error>(Error{std::move(what), std::move(where), std::move(remedy)});
}

// The error a cancelled task returns; recognised by isCancelled.
[[nodiscard]] tl::unexpected<Error> cancelled();
[[nodiscard]] bool isCancelled(const Error &error);

// Hands the error of an Expected of one type on as that of another: `return passOn(result);`
template <class T>
[[nodiscard]] tl::unexpected<Error> passOn(Expected<T> &result) {
    return tl::unexpected<Error>(std::move(result.error()));
}

}  // namespace wattproof
