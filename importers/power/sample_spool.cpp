#include "importers/power/sample_spool.h"

#include <utility>

namespace wattproof::importers {

std::size_t SampleSpool::addChannel() {
    lanes_.emplace_back();
    return lanes_.size() - 1;
}

void SampleSpool::push(std::size_t channel, Sample sample) {
    lanes_[channel].memory.push_back(sample);
    if (++held_ > budget_)
        spill();
}

void SampleSpool::spill() {
    if (!file_)
        file_.reset(std::tmpfile());
    failed_ = failed_ || !file_;
    for (Lane &lane : lanes_) {
        if (lane.memory.empty())
            continue;
        if (!failed_) {
            lane.blocks.push_back({std::ftell(file_.get()), lane.memory.size()});
            failed_ = std::fwrite(lane.memory.data(), sizeof(Sample), lane.memory.size(), file_.get()) !=
                      lane.memory.size();
        }
        lane.memory.clear();
    }
    held_ = 0;
}

Expected<std::vector<Sample>> SampleSpool::take(std::size_t channel) {
    if (failed_)
        return failure("the samples do not fit the folder for temporary files", "TMPDIR", "free some space there");
    Lane &lane = lanes_[channel];
    std::vector<Sample> all;
    for (const Block &block : lane.blocks) {
        const std::size_t begin = all.size();
        all.resize(begin + block.count);
        if (std::fseek(file_.get(), block.offset, SEEK_SET) != 0 ||
            std::fread(all.data() + begin, sizeof(Sample), block.count, file_.get()) != block.count)
            return failure("the temporary file with the samples cannot be read back", "TMPDIR", "import again");
    }
    if (all.empty())
        all = std::move(lane.memory);
    else
        all.insert(all.end(), lane.memory.begin(), lane.memory.end());
    lane = {};
    return all;
}

}  // namespace wattproof::importers
