// bench_events WORKSPACE: the events table on a workspace, as it is used: time until the first rows can be read, until
// all are known, until the rows of a far page are there, and the longest the interface thread was busy at a time.
#include "widgets/events/events_pane.h"
#include "widgets/tables/long_table.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <unistd.h>

namespace {

using namespace wattproof;
using namespace wattproof::widgets;

constexpr int kPages = 40;
constexpr double kNsInMs = 1e6;

double residentMiB() {
    std::ifstream file("/proc/self/statm");
    std::int64_t whole = 0, resident = 0, shared = 0;
    file >> whole >> resident >> shared;
    return static_cast<double>(resident - shared) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

bool isRead(const EventsModel &model) {
    return model.rowCount() > 0 && model.index(0, EventsModel::Time).data().isValid();
}

class Bench {
public:
    explicit Bench(Session *session) : pane_(session) {
        pane_.resize(1900, 320);
        pane_.show();
    }

    // Milliseconds until it is true, while the events of the interface are served.
    double until(const std::function<bool()> &done) {
        QElapsedTimer clock;
        clock.start();
        while (!done()) {
            QElapsedTimer turn;
            turn.start();
            QCoreApplication::processEvents();
            longest_ = std::max(longest_, turn.nsecsElapsed());
            QThread::usleep(200);
        }
        return static_cast<double>(clock.nsecsElapsed()) / kNsInMs;
    }

    void order(const char *what, const std::function<void()> &ask) {
        longest_ = 0;
        ask();
        // The table shows what was before until the first ids are here.
        const double counted = until([&] { return !pane_.isComplete(); });
        const EventIds before = pane_.model().ids();
        const double first = counted + until([&] {
            return pane_.model().ids() != before && (isRead(pane_.model()) || pane_.model().total() == 0);
        });
        const double all = first + until([&] { return pane_.isComplete(); });
        std::printf("%-36s %10.1f %10.1f %12lld %10.1f %8.0f\n", what, first, all,
                    static_cast<long long>(pane_.model().total()), static_cast<double>(longest_) / kNsInMs,
                    residentMiB());
        std::fflush(stdout);
    }

    void pages() {
        longest_ = 0;
        std::vector<double> times;
        for (int i = 0; i < kPages; ++i) {
            pane_.table()->setCurrentRow(pane_.model().total() / kPages * ((i * 17) % kPages));
            times.push_back(until([&] { return isRead(pane_.model()); }));
        }
        std::sort(times.begin(), times.end());
        std::printf("rows of a far page: median %.1f ms, slowest %.1f ms; interface thread %.1f ms\n",
                    times[times.size() / 2], times.back(), static_cast<double>(longest_) / kNsInMs);
    }

    EventsPane &pane() { return pane_; }

private:
    EventsPane pane_;
    qint64 longest_ = 0;
};

int run(const char *path) {
    auto workspace = store::Workspace::open(path, true);
    if (!workspace) {
        std::fprintf(stderr, "%s\n", workspace.error().sentence().c_str());
        return 1;
    }
    Session session(*workspace);
    Bench bench(&session);
    bench.until([&] { return bench.pane().isComplete(); });
    EventsPane &pane = bench.pane();
    const auto sort = [&](EventsModel::Column column, Qt::SortOrder order) {
        return [&pane, column, order] { emit pane.table()->sortRequested(column, order); };
    };
    std::printf("\nEvents table of %s\n%-36s %10s %10s %12s %10s %8s\n", path, "", "first ms", "all ms", "events",
                "busy ms", "MiB");
    bench.order("latest first", sort(EventsModel::Time, Qt::DescendingOrder));
    bench.order("earliest first", sort(EventsModel::Time, Qt::AscendingOrder));
    bench.pages();
    bench.order("longest first", sort(EventsModel::Duration, Qt::DescendingOrder));
    bench.order("shortest first", sort(EventsModel::Duration, Qt::AscendingOrder));
    bench.pages();
    bench.order("longest of a name", [&] {
        pane.showNamed("AllReduce");
        emit pane.table()->sortRequested(EventsModel::Duration, Qt::DescendingOrder);
    });
    bench.order("earliest of a name", sort(EventsModel::Time, Qt::AscendingOrder));
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::fputs("usage: bench_events WORKSPACE\n", stderr);
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    return run(argv[1]);
}
