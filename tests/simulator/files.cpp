#include "tests/simulator/simulator.h"

#include <fstream>
#include <sstream>

#include <zlib.h>

namespace wattproof::simulator {

namespace {

// A gzip member without name and time, so that the same text gives the same bytes (with the same zlib).
std::string compressed(const std::string &text) {
    z_stream stream{};
    constexpr int kGzip = 16 + MAX_WBITS, kMemory = 9;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::string out(deflateBound(&stream, text.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const bool complete = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.resize(complete ? stream.total_out : 0);
    deflateEnd(&stream);
    return out;
}

template <class Write>
std::string textOf(Write write, const Simulation &simulation) {
    std::ostringstream out;
    write(simulation, out);
    return out.str();
}

Status save(const std::string &path, const std::string &bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        return failure("The file could not be written", path, "check that the folder exists and has room");
    return {};
}

}  // namespace

Expected<Files> writeFiles(const Simulation &simulation, const std::string &prefix, bool gzip) {
    const Files files{prefix + "_trace.json" + (gzip ? ".gz" : ""), prefix + "_power.csv", prefix + "_truth.json"};
    const std::string trace = textOf(writeKinetoJson, simulation);
    if (Status status = save(files.trace, gzip ? compressed(trace) : trace); !status)
        return passOn(status);
    if (Status status = save(files.power, textOf(writeNvidiaSmiCsv, simulation)); !status)
        return passOn(status);
    if (Status status = save(files.truth, textOf(writeTruth, simulation)); !status)
        return passOn(status);
    return files;
}

}  // namespace wattproof::simulator
