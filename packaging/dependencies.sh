# Debian packages, and how to install the missing ones. Sourced by packaging/run and packaging/test.

BUILD_PACKAGES=(g++ cmake ninja-build pkg-config qt6-base-dev qt6-svg-dev libqcustomplot-dev libsqlite3-dev
    nlohmann-json3-dev libarchive-dev libcli11-dev libexpected-dev libeigen3-dev libprotozero-dev libssl-dev zlib1g-dev
    fonts-dejavu-core)
TEST_PACKAGES=(xvfb xauth ccache python3)
BENCHMARK_PACKAGES=(libsimdjson-dev)

# Installs those of the given packages that are not there; says which; asks nothing when all are.
install_missing() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    echo "Installing: ${missing[*]}"
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "These packages are missing, and neither root nor sudo is at hand: ${missing[*]}" >&2; return 1; }
        sudo=(sudo)
    fi
    "${sudo[@]}" apt-get update -q
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# The sanitizers' run-time libraries, a package named after the version of clang that is there.
install_sanitizers() {
    install_missing clang
    install_missing "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
}
