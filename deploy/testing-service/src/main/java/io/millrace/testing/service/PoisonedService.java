package io.millrace.testing.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.embedded.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Runs the packaged service of the module under test on a log of its own that is full of poison. */
public final class PoisonedService {

    private static final int RECORDS = 1_500;
    private static final Pattern SET_ASIDE = Pattern.compile("(?m)^millrace_loop_set_aside(?:\\{.*\\})? ([0-9.E]+)$");

    private PoisonedService() {}

    /**
     * Writes poison while the service runs, kills the service, and starts it again: it must be ready and decide on the next good record each time.
     *
     * @param data an empty folder
     * @param good writes a good record and waits for the decision on it; gets 1, 2… to be different each time
     */
    public static void withstands(
            final Path data, final long seed, final BiConsumer<TestLog, Integer> good, final String... settings)
            throws IOException, InterruptedException {
        try (EmbeddedKafka broker = EmbeddedKafka.start(data, 0);
                TestLog log = new TestLog(broker.bootstrapServers())) {
            final String[] all = new String[settings.length + 1];
            System.arraycopy(settings, 0, all, 0, settings.length);
            all[settings.length] = "-Dmillrace.kafka.bootstrap-servers=" + broker.bootstrapServers();
            try (ServiceProcess service = ServiceProcess.start(all)) {
                service.awaitReady();
                good.accept(log, 1);
                PoisonedLog.write(log.servers(), seed, RECORDS);
                good.accept(log, 2);
                service.kill();
            }
            try (ServiceProcess again = ServiceProcess.start(all)) {
                final String root = again.awaitReady();
                good.accept(log, 3);
                assertThat(setAside(ServiceProcess.metrics(root)))
                        .as("records that are named at every start; seed %d", seed)
                        .isPositive();
            }
        }
    }

    private static double setAside(final String metrics) {
        return SET_ASIDE
                .matcher(metrics)
                .results()
                .map(MatchResult::group)
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
