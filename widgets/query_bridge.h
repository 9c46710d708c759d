// From the query service's threads to the interface's: a request runs a read, its answer arrives as a call on the
// thread of the bridge's owner. Answers of a destroyed owner or of a replaced request are dropped.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <QMetaObject>
#include <QObject>
#include <QPointer>

#include "store/query_service.h"

namespace wattproof::widgets {

class QueryBridge : public QObject {
    Q_OBJECT

public:
    explicit QueryBridge(std::shared_ptr<store::QueryService> service, QObject *parent = nullptr)
        : QObject(parent), service_(std::move(service)) {}

    // read: Reader&, stop_token -> T, on a pool thread. answer: T, on this object's thread. The latest of a key wins.
    template <class Read, class Answer>
    void ask(const QObject *receiver, const std::string &key, Read read, Answer answer) {
        QPointer<const QObject> alive(receiver);
        service_->submit(key, [this, alive, read = std::move(read), answer = std::move(answer)](store::Reader &reader,
                                                                                      std::stop_token stop) mutable {
            auto result = std::make_shared<decltype(read(reader, stop))>(read(reader, stop));
            if (stop.stop_requested())
                return;
            // Posted to the bridge, which outlives the service's threads; the receiver may go at any moment and is looked at
            // on its own thread alone.
            QMetaObject::invokeMethod(
                this,
                [answer, result, alive]() mutable {
                    if (alive)
                        answer(std::move(*result));
                },
                Qt::QueuedConnection);
        });
    }

    [[nodiscard]] store::QueryService &service() { return *service_; }

private:
    std::shared_ptr<store::QueryService> service_;
};

}  // namespace wattproof::widgets
