// Names of GPU operations to op class and precision.
#include "importers/kernel_classes.h"
#include "importers/name_pattern.h"
#include "tests/support/import_trace.h"
#include "tests/support/shared_files.h"

#include <map>
#include <set>

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

using namespace wattproof;
using importers::KernelClassifier;
using importers::NamePattern;

class KernelClassesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void patterns_data();
    void patterns();
    void names_data();
    void names();
    void hostileNamesAreQuick();
    void usersRulesComeFirst();
    void wrongRulesAreNamed_data();
    void wrongRulesAreNamed();
    void realNamesAgreeWithThePublishedRules();

private:
    void writeUserRules(const QByteArray &json);
    QTemporaryDir config_;
};

void KernelClassesTest::initTestCase() {
    qputenv("XDG_CONFIG_HOME", config_.path().toLocal8Bit());
    QVERIFY(KernelClassifier::load().has_value());
}

void KernelClassesTest::patterns_data() {
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char *pattern, const char *name, bool fits) {
        QTest::addRow("%s in %s", pattern, name) << QByteArray(pattern) << QByteArray(name) << fits;
    };
    row("gemm", "sgemm_nt", true);
    row("^gemm", "sgemm", false);
    row("^gemm", "gemm", true);
    row("kd$", "copy.kd", true);
    row("kd$", "copy.kd2", false);
    row("a*b*c", "xxaYYbZZc", true);
    row("a*b*c", "acb", false);
    row("^a*c$", "abcc", true);
    row("fp\\d_quant", "scaled_fp16_quant", true);
    row("fp\\d_quant", "fp_quant", false);
    row("\\dcudnn", "volta_123cudnn_x", true);
    row("\\bfmha", "my_fmha", true);
    row("\\bfmha", "xfmha", false);
    row("\\bfmha", "fmha", true);
    row("a\\d", "aa7", true);
}

void KernelClassesTest::patterns() {
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, name);
    QFETCH(bool, fits);
    QCOMPARE(NamePattern(pattern.toStdString()).matches(name.toStdString()), fits);
}

void KernelClassesTest::names_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("opClass");
    QTest::addColumn<QByteArray>("precision");
    const auto row = [](const char *name, const char *opClass, const char *precision) {
        QTest::newRow(name) << QByteArray(name) << QByteArray(opClass) << QByteArray(precision);
    };
    row("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "communication", "bf16");
    row("void cross_device_reduce_2stage<__half, 8>", "communication", "fp16");
    row("MEMORY_COPY_DEVICE_TO_HOST", "copy", "");
    row("__amd_rocclr_copyBuffer.kd", "copy", "");
    row("__amd_rocclr_fillBufferAligned.kd", "memset", "");
    row("void flash::flash_fwd_kernel<cutlass::bfloat16_t>", "attention", "bf16");
    row("void flashinfer::norm::RMSNormKernel<8, __half>", "norm", "fp16");
    row("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nchw", "convolution", "fp16");
    row("sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize96x64x32", "gemm", "bf16");
    row("sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128", "gemm", "tf32");
    row("ampere_sgemm_128x64_tn", "gemm", "fp32");
    row("Cijk_Ailk_Bljk_HHS_BH_MT128x128", "gemm", "fp16");
    row("Cijk_Alik_Bljk_BBS_BH_Bias", "gemm", "bf16");
    row("nvjet_tst_192x192_64x4_2x1_v_bz_TNT", "gemm", "bf16");
    row("fbgemm_gpu::split_embedding_forward", "embedding", "");
    row("void splitKreduce_kernel<32, 16, int, float, __nv_bfloat16>", "gemm_aux", "bf16");
    row("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>", "elementwise",
        "fp32");
    row("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<LambdaX>", "optimizer", "");
    row("void at::native::unrolled_elementwise_kernel<{lambda(float)#1}::{lambda(c10::BFloat16)#2}>",
        "elementwise", "bf16");
    row("void at::native::elementwise_kernel<{lambda(long)#1}>", "elementwise", "int");
    row("void at_cuda_detail::cub::DeviceRadixSortOnesweepKernel", "sort_scan", "");
    row("triton_red_fused_mean_0", "reduce", "");
    row("something_nobody_knows", "other", "");
    row("", "other", "");
}

void KernelClassesTest::names() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, opClass);
    QFETCH(QByteArray, precision);
    const auto found = KernelClassifier::load()->classify(name.toStdString());
    QCOMPARE(QByteArray::fromStdString(found.opClass), opClass);
    QCOMPARE(QByteArray::fromStdString(found.precision), precision);
}

// Neither recursion nor backtracking: megabytes of what patterns like come back at once.
void KernelClassesTest::hostileNamesAreQuick() {
    const auto classifier = KernelClassifier::load();
    for (const char *unit : {"1", "cutlass", "cudnn_generated_", "_", "{lambda(", "permute_"}) {
        std::string name;
        while (name.size() < 2'000'000)
            name += unit;
        QVERIFY(!classifier->classify(name).opClass.empty());
    }
}

void KernelClassesTest::writeUserRules(const QByteArray &json) {
    QDir().mkpath(config_.filePath(QStringLiteral("wattproof")));
    QFile file(config_.filePath(QStringLiteral("wattproof/kernel_classes.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(json);
}

void KernelClassesTest::usersRulesComeFirst() {
    writeUserRules(R"({"op_classes": [{"class": "mine", "any": ["^ncclDevKernel_AllReduce"]}]})");
    const auto classifier = KernelClassifier::load();
    QVERIFY(classifier.has_value());
    QCOMPARE(classifier->classify("ncclDevKernel_AllReduce_Sum").opClass, std::string("mine"));
    QCOMPARE(classifier->classify("ncclDevKernel_ReduceScatter").opClass, std::string("communication"));
    QFile::remove(config_.filePath(QStringLiteral("wattproof/kernel_classes.json")));
}

void KernelClassesTest::wrongRulesAreNamed_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray("object");
    QTest::newRow("no list") << QByteArray(R"({"op_classes": 1})") << QByteArray("\"op_classes\" must be a list");
    QTest::newRow("no class") << QByteArray(R"({"op_classes": [{"any": ["x"]}]})")
                              << QByteArray("op_classes[0].class");
    QTest::newRow("no pattern") << QByteArray(R"({"precisions": [{"precision": "x", "any": []}]})")
                                << QByteArray("precisions[0].any");
    QTest::newRow("pattern is a number")
        << QByteArray(R"({"op_classes": [{"class": "x", "any": [1]}]})") << QByteArray("op_classes[0].any");
    QTest::newRow("flag is a text")
        << QByteArray(R"({"op_classes": [{"class": "x", "any": ["y"], "ignore_case": "no"}]})")
        << QByteArray("ignore_case\" must be true or false");
}

void KernelClassesTest::wrongRulesAreNamed() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, key);
    writeUserRules(json);
    const auto classifier = KernelClassifier::load();
    QFile::remove(config_.filePath(QStringLiteral("wattproof/kernel_classes.json")));
    QVERIFY(!classifier);
    const QByteArray sentence = QByteArray::fromStdString(classifier.error().sentence());
    QVERIFY2(sentence.contains(key) && sentence.contains("kernel_classes.json"), sentence.constData());
}

// Kernel names of real traces: at least 97 of 100 fall into the class that the published rules give them.
void KernelClassesTest::realNamesAgreeWithThePublishedRules() {
    WATTPROOF_SHARED_OR_SKIP(rulesPath, "facts/kernel_name_rules.json");
    QFile file(rulesPath);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto rules = nlohmann::json::parse(file.readAll().toStdString());
    const std::map<std::string, std::set<std::string>> names{{"comm", {"communication"}},
                                                             {"memcpy/set", {"copy", "memset"}},
                                                             {"quant", {"quantise"}},
                                                             {"norm", {"norm"}},
                                                             {"attention", {"attention"}},
                                                             {"conv", {"convolution"}},
                                                             {"moe_gemm", {"moe_gemm"}},
                                                             {"gemm_aux", {"gemm_aux"}},
                                                             {"gemm/gemv", {"gemm"}},
                                                             {"softmax/xent", {"softmax"}},
                                                             {"embedding/gather/scatter", {"embedding"}},
                                                             {"optimizer", {"optimizer"}},
                                                             {"cat/copy/transpose", {"cat_copy"}},
                                                             {"sort/scan", {"sort_scan"}},
                                                             {"random/dropout", {"random"}},
                                                             {"reduce", {"reduce"}},
                                                             {"pool/resample", {"pool"}},
                                                             {"elementwise", {"elementwise"}}};
    std::map<std::string, std::string> classOf;
    for (const QString &path : test::sharedFiles(QStringLiteral("corpus/kineto"), QStringLiteral("*.json.gz"))) {
        const auto trace = test::importChromeFile(path.toStdString());
        for (const auto &[id, found] : trace.writer->classes)
            classOf[trace.writer->text(StringId(id))] = found.opClass;
    }
    int same = 0;
    QStringList other;
    for (const auto &[name, own] : classOf) {
        std::set<std::string> wanted{"other"};
        for (const auto &rule : rules["op_class"]) {
            if (QRegularExpression(QString::fromStdString(rule["pattern"]))
                    .match(QString::fromStdString(name))
                    .hasMatch()) {
                wanted = names.at(rule["class"]);
                break;
            }
        }
        if (wanted.count(own) > 0)
            ++same;
        else
            other << QString::fromStdString(own + " not " + *wanted.begin() + ": " + name.substr(0, 90));
    }
    QVERIFY(classOf.size() > 200);
    QVERIFY2(same >= static_cast<int>(classOf.size()) * 97 / 100, qPrintable(other.join(QLatin1Char('\n'))));
}

QTEST_APPLESS_MAIN(KernelClassesTest)
#include "tst_kernel_classes.moc"
