package io.millrace.quota.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.service.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service as a process of its own. */
class QuotaServiceIT {

    @TempDir
    private Path folder;

    @Test
    void the_service_becomes_ready_counts_requests_and_stops_on_a_signal() throws Exception {
        final Path file = Files.writeString(folder.resolve("quotas.yaml"), "quotas: {quota-process: {anna: 4}}");
        try (var service = ServiceProcess.start("-Dmillrace.quota.file=" + file)) {
            final String root = service.awaitReady();
            assertThat(ServiceProcess.metrics(root)).contains("millrace_loop_lag", "millrace_loop_dead_letters");
            service.awaitEndWhenTold();
        }
    }

    @Test
    void a_quota_file_with_an_error_stops_the_service_and_is_named() throws Exception {
        final Path file = Files.writeString(folder.resolve("quotas.yaml"), "quotas: {alpha: {anna: many}}");
        try (var service = ServiceProcess.start("-Dmillrace.quota.file=" + file)) {
            assertThat(service.awaitFailure()).contains("line 1, column 24: 'many' is not a whole number");
        }
    }
}
