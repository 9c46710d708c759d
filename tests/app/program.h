// The built program, run as a script runs it, and the small files that its tests hand it.
#pragma once

#include <grp.h>
#include <unistd.h>

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>

namespace wattproof::test {

struct Outcome {
    int exitCode = -1;
    QByteArray out, err;

    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    [[nodiscard]] bool isOneSentence() const { return err.startsWith("wattproof: ") && err.count('\n') == 1; }
};

// Rights of the superuser ignore those of a folder: the program then runs as nobody.
enum class As { Caller, Nobody };

inline Outcome run(const QStringList &arguments, const QString &program = QStringLiteral(WATTPROOF_BINARY),
                   As user = As::Caller) {
    QProcess process;
    if (user == As::Nobody && ::geteuid() == 0) {
        process.setChildProcessModifier([] {
            constexpr ::uid_t kNobody = 65534;
            if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)
                ::_exit(126);
        });
    }
    process.start(program, arguments);
    process.closeWriteChannel();
    if (!process.waitForFinished(120'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

inline const QByteArray kTrace = R"({"traceEvents":[
{"ph":"X","pid":1,"tid":1,"ts":100,"dur":50,"name":"step","cat":"cpu_op","args":{"a":1}},
{"ph":"X","pid":1,"tid":1,"ts":110,"dur":20,"name":"inner","cat":"cpu_op"},
{"ph":"X","pid":0,"tid":7,"ts":130,"dur":10,"name":"gemm","cat":"kernel","args":{"device":0,"stream":7,"correlation":3}}
]})";

inline const QByteArray kPower =
    "timestamp, index, power.draw [W]\n2026/01/01 00:00:00.000, 0, 100.00 W\n2026/01/01 00:00:01.000, 0, 100.00 W\n"
    "2026/01/01 00:00:02.000, 0, 200.00 W\n";

}  // namespace wattproof::test
