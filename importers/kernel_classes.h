// Op class and precision of a GPU operation's name, by the ordered rules of resources/kernel_classes.json; first match wins.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "store/result.h"

namespace wattproof::importers {

struct KernelClass {
    std::string opClass;        // "gemm", "attention", "communication", "copy", "norm", ...; "other" when nothing matches
    std::string precision;      // "bf16", "fp16", "fp32", "tf32", "fp8", "int8", "fp4"; "" when the name does not tell
};

class KernelClassifier {
public:
    // The shipped rules with the user's overrides; an error names file, key and expected type.
    [[nodiscard]] static Expected<KernelClassifier> load();
    [[nodiscard]] KernelClass classify(std::string_view kernelName) const;

    ~KernelClassifier();
    KernelClassifier(KernelClassifier &&) noexcept;
    KernelClassifier &operator=(KernelClassifier &&) noexcept;

private:
    struct Rules;
    explicit KernelClassifier(std::shared_ptr<const Rules>);
    [[nodiscard]] static Status readShipped(Rules &);
    [[nodiscard]] static const Expected<std::shared_ptr<const Rules>> &shipped();
    std::shared_ptr<const Rules> rules_;
};

}  // namespace wattproof::importers
