package io.millrace.backfill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.service.ServiceProcess;
import org.junit.jupiter.api.Test;

/** The packaged service as a separate process. */
class BackfillServiceIT {

    @Test
    void it_is_ready_when_it_decides_counts_its_decisions_and_stops_on_a_signal() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.backfill.order=fcfs")) {
            final String root = service.awaitReady();
            assertThat(ServiceProcess.metrics(root)).contains("millrace_loop_lag", "millrace_loop_dead_letters");
            service.awaitEndWhenTold();
        }
    }

    @Test
    void an_unknown_policy_stops_the_service_with_a_message() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.backfill.reservations=some")) {
            assertThat(service.awaitFailure())
                    .contains("millrace.backfill.reservations must be a number or all, got 'some'");
        }
    }
}
