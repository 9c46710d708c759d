#include "store/edit/shared_devices.h"

namespace wattproof::store {
namespace {

constexpr const char *kShared =
    "SELECT d.id, min(r.source_id) FROM device d JOIN (SELECT device_id, source_id FROM counter UNION "
    "SELECT device_id, source_id FROM track UNION SELECT device_id, source_id FROM device_alias UNION "
    "SELECT parent_id, source_id FROM device) r ON r.device_id = d.id AND r.source_id <> d.source_id "
    "JOIN alignment a ON a.source_id = r.source_id WHERE d.source_id = ? GROUP BY d.id";

}  // namespace

Expected<std::vector<SharedDevice>> sharedDevices(const sqlite::Database &database, SourceId source) {
    auto statement = database.prepare(kShared);
    if (!statement)
        return passOn(statement);
    statement->bindAll(source);
    std::vector<SharedDevice> shared;
    while (statement->step())
        shared.push_back({statement->id<DeviceId>(0), statement->id<SourceId>(1)});
    if (Status status = statement->status(); !status)
        return passOn(status);
    return shared;
}

Status handOverDevices(const sqlite::Database &database, SourceId source) {
    auto shared = sharedDevices(database, source);
    if (!shared)
        return passOn(shared);
    auto give = database.prepare("UPDATE device SET source_id = ? WHERE id = ?");
    if (!give)
        return passOn(give);
    for (const SharedDevice &device : *shared)
        if (!give->bindAll(device.heir, device.device).run())
            return give->status();
    return database.execute("DELETE FROM device WHERE source_id = " + std::to_string(source.value) +
                            "; UPDATE device SET parent_id = NULL WHERE parent_id NOT IN (SELECT id FROM device)"
                            "; DELETE FROM device_alias WHERE device_id NOT IN (SELECT id FROM device)");
}

}  // namespace wattproof::store
