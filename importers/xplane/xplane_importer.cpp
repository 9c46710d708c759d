#include "importers/xplane/xplane_importer.h"

#include "importers/xplane/plane_events.h"
#include "importers/xplane/plane_reader.h"
#include "importers/xplane/probe.h"

namespace wattproof::importers {
namespace {

using namespace xplane;

constexpr std::size_t kLongestText = 4096;

enum SpaceField { kSpacePlane = 1, kSpaceError = 2, kSpaceWarning = 3, kSpaceHost = 4 };

class XplaneImport {
public:
    XplaneImport(Input &input, ProfileRun &run)
        : input_(input), run_(run), stream_([&input](std::span<char> buffer) { return input.read(buffer); }) {}

    Expected<Summary> import() {
        WireField field;
        while (stream_.next(field))
            if (auto status = take(field); !status)
                return passOn(status);
        if (Status status = stream_.status(); !status)
            return passOn(status);
        if (planes_ == 0)
            return failure("This file is no XPlane profile: it holds no plane", input_.path(),
                           "give the *.xplane.pb file of a JAX or TensorFlow profile");
        tellEnd();
        tellFacts();
        return run_.finish(facts_.profileStart);
    }

private:
    Status take(const WireField &field) {
        if (field.isNumber())
            return {};
        if (field.number == kSpacePlane)
            return plane();
        if (field.number > kSpaceHost)
            return {};
        const auto text = stream_.view(kLongestText);
        if (!text)
            return {};
        if (field.number == kSpaceHost && hosts_++ == 0)
            host_ = *text;
        run_.metadata(field.number == kSpaceHost    ? "hostname"
                      : field.number == kSpaceError ? "profiler_error"
                                                    : "profiler_warning",
                      *text);
        return {};
    }

    Status plane() {
        Plane plane;
        RecordSpool spool;
        if (auto status = PlaneReader(stream_, run_).read(plane, spool); !status)
            return status;
        ++planes_;
        return PlaneEvents(plane, spool, run_, facts_).write();
    }

    void tellEnd() {
        if (stream_.malformed())
            run_.warn("malformed_message",
                      "From here on the file's bytes make no sense; what stands before was read.",
                      stream_.position());
        else if (stream_.cut() && input_.damage().empty())
            run_.warn("truncated_input", "The file ends within a message; what was whole was read.",
                      stream_.position());
    }

    // A host's name says which machine the devices are of only when there is one.
    void tellFacts() {
        if (hosts_ == 1)
            run_.places().setHost(host_);
        std::string names;
        for (const std::string &name : facts_.devicesWithoutEvents)
            names += (names.empty() ? "" : ", ") + name;
        if (!names.empty())
            run_.metadata("devices_without_events", names);
    }

    Input &input_;
    ProfileRun &run_;
    WireStream stream_;
    FileFacts facts_;
    std::string host_;
    int planes_ = 0, hosts_ = 0;
};

class XplaneImporter final : public Importer {
public:
    [[nodiscard]] std::string_view name() const override { return "xplane"; }

    [[nodiscard]] double probe(std::span<const char> head, std::string_view) const override {
        return looksLikeXspace({head.data(), head.size()}) ? 0.97 : 0.0;
    }

    [[nodiscard]] Expected<Summary> import(Input &input, store::BulkWriter &writer, const Options &,
                                           const Task &task) const override {
        auto run = ProfileRun::begin(input, writer, task, "xplane");
        if (!run)
            return passOn(run);
        return XplaneImport(input, **run).import();
    }
};

}  // namespace

std::unique_ptr<Importer> makeXplaneImporter() {
    return std::make_unique<XplaneImporter>();
}

}  // namespace wattproof::importers
