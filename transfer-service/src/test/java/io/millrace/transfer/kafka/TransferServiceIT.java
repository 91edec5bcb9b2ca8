package io.millrace.transfer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.service.ServiceProcess;
import org.junit.jupiter.api.Test;

/** The packaged service as a process of its own. */
class TransferServiceIT {

    @Test
    void it_is_ready_when_it_decides_exports_metrics_and_stops_on_request() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.transfer.per-pair=3")) {
            final String root = service.awaitReady();
            assertThat(ServiceProcess.metrics(root)).contains("millrace_loop_lag", "millrace_transfers");
            service.awaitEndWhenTold();
        }
    }

    @Test
    void a_setting_out_of_bounds_stops_it_and_is_named() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.transfer.per-pair=0")) {
            assertThat(service.awaitFailure()).contains("millrace.transfer.per-pair must be at least 1, got 0");
        }
    }
}
