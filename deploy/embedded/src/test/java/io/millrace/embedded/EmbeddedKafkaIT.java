package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {

    @TempDir
    Path data;

    @Test
    void committed_transactions_are_read_also_after_a_restart_and_aborted_ones_never() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0)) {
            JobsTopic jobs = JobsTopic.at(kafka.bootstrapServers());
            jobs.create(1);
            jobs.inTransaction("kept", true);
            jobs.inTransaction("aborted", false);
            jobs.inTransaction("kept too", true);
            assertThat(jobs.read(2, "reader")).containsExactly("kept", "kept too");
        }
        try (EmbeddedKafka again = EmbeddedKafka.start(data, 0)) {
            JobsTopic jobs = JobsTopic.at(again.bootstrapServers());
            jobs.inTransaction("after the restart", true);
            assertThat(jobs.read(3, "second reader")).containsExactly("kept", "kept too", "after the restart");
        }
    }

    @Test
    void a_broker_that_was_killed_twice_has_all_committed_records_and_offsets() throws Exception {
        killAfter(jobs -> {
            jobs.create(1);
            jobs.inTransaction("kept", true);
            assertThat(jobs.read(1, "group")).containsExactly("kept");
        });
        killAfter(jobs -> jobs.inTransaction("kept too", true));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(data, 0)) {
            JobsTopic jobs = JobsTopic.at(kafka.bootstrapServers());
            jobs.inTransaction("after the kills", true);
            assertThat(jobs.read(2, "group"))
                    .as("from the committed offset on")
                    .containsExactly("kept too", "after the kills");
        }
    }

    @Test
    void a_broker_without_processor_time_for_longer_than_a_usual_session_remains_the_leader() throws Exception {
        try (BrokerProcess broker = new BrokerProcess(List.of("--data=" + data))) {
            JobsTopic jobs = JobsTopic.at(broker.address());
            jobs.create(1);
            jobs.inTransaction("before", true);
            int epoch = jobs.leaderEpoch();
            for (int time = 0; time < 3; time++) {
                broker.suspend(Duration.ofSeconds(12));
                jobs.inTransaction("after", true);
            }
            assertThat(jobs.leaderEpoch()).isEqualTo(epoch);
        }
    }

    private interface Use {
        void of(JobsTopic jobs) throws Exception;
    }

    /** Starts a broker as a process of its own, uses it and kills it. */
    private void killAfter(Use use) throws Exception {
        try (BrokerProcess broker = new BrokerProcess(List.of("--data=" + data))) {
            use.of(JobsTopic.at(broker.address()));
        }
    }
}
