package io.millrace.classifier.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.service.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged service as a process of its own. */
class ClassifierServiceIT {

    @TempDir
    private Path folder;

    @Test
    void it_is_ready_when_it_decides_exports_metrics_and_stops_on_request() throws Exception {
        try (var service = ServiceProcess.start("-Dquarkus.log.level=INFO")) {
            final String root = service.awaitReady();
            assertThat(ServiceProcess.metrics(root)).contains("millrace_loop_lag", "millrace_loop_decisions");
            service.awaitEndWhenTold();
        }
    }

    @Test
    void a_bad_model_stops_it_and_is_named() throws Exception {
        final Path file = Files.writeString(
                folder.resolve("model.yaml"),
                "characteristics: {cores: {type: number}}\nclasses: {a: {mandatory: {cores: many}}}\n");
        try (var service = ServiceProcess.start("-Dmillrace.classifier.model-file=" + file)) {
            assertThat(service.awaitFailure()).contains("line 2, column 27: expected a number");
        }
    }
}
