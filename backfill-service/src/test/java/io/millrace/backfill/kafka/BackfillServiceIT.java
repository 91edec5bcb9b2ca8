package io.millrace.backfill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.service.ServiceProcess;
import org.junit.jupiter.api.Test;

/** The packaged service as a process of its own. */
class BackfillServiceIT {

    @Test
    void it_is_ready_when_it_decides_counts_what_it_does_and_stops_when_told() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.backfill.order=fcfs")) {
            final String root = service.awaitReady();
            assertThat(ServiceProcess.metrics(root)).contains("millrace_loop_lag", "millrace_loop_dead_letters");
            service.awaitEndWhenTold();
        }
    }

    @Test
    void a_policy_that_is_not_there_is_named_and_stops_it() throws Exception {
        try (var service = ServiceProcess.start("-Dmillrace.backfill.reservations=some")) {
            assertThat(service.awaitFailure())
                    .contains("millrace.backfill.reservations must be a number or all, got 'some'");
        }
    }
}
