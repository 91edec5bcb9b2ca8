package io.millrace.migration.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.service.ServiceProcess;
import org.junit.jupiter.api.Test;

/** The packaged service as a process of its own. */
class MigrationServiceIT {

    @Test
    void it_is_ready_when_it_decides_exports_metrics_and_stops_on_request() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.migration.performance-order=beta,alpha")) {
            final String root = service.awaitReady();
            assertThat(ServiceProcess.metrics(root)).contains("millrace_loop_lag", "millrace_global_jobs");
            service.awaitEndWhenTold();
        }
    }

    @Test
    void a_setting_out_of_bounds_stops_it_and_is_named() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.migration.max-moves=-1")) {
            assertThat(service.awaitFailure()).contains("max-moves must not be negative");
        }
    }
}
