package io.millrace.agent.skeleton;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class SkeletonTest {

    @Test
    void jobs_and_nodes_are_read_from_one_query() {
        final Skeleton skeleton = skeleton("""
            $ skstat --all
            > node n1 8 6
            > job 12 anna 2 running 1767225600 1767225660 n1
            > job 13 bert 4 migrating 1767225600 - -
            """);

        assertThat(skeleton.observe().get().jobs())
                .extracting(job -> job.state().getClass())
                .satisfiesExactly(
                        type -> assertThat(type).isEqualTo(JobState.Running.class),
                        type -> assertThat(type).isEqualTo(JobState.Unknown.class));
    }

    @Test
    void a_line_that_cannot_be_read_makes_the_observation_unreadable() {
        final Skeleton skeleton = skeleton("""
            $ skstat --all
            > node n1 8
            """);

        assertThat(skeleton.observe())
                .isEqualTo(Answer.trouble(Answer.Kind.UNREADABLE, "skstat printed an unknown line: 'node n1 8'"));
    }

    private static Skeleton skeleton(final String transcript) {
        return new Skeleton(ClusterId.of("alpha"), null, new ReplayRunner(transcript), Clock.systemUTC());
    }
}
