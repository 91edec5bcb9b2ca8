package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.AT_THE_GATE;
import static io.millrace.agent.domain.TestJobs.CLUSTER;
import static io.millrace.agent.domain.TestJobs.NOON;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static io.millrace.agent.domain.TestJobs.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.ClusterView;
import io.millrace.model.CommandId;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SnapshotDiffTest {

    @Test
    void only_differences_are_said() {
        final JobObserved same = job(1, "anna", 1, RUNNING);
        final JobObserved changed = job(2, "anna", 1, AT_THE_GATE);
        final JobObserved gone = job(3, "anna", 1, RUNNING);
        final ClusterView said = new ClusterView(CLUSTER);
        List.of(same, changed, gone).forEach(said::apply);
        said.apply(new RevisionClosed(
                CLUSTER,
                1,
                NOON,
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "test",
                Resources.NONE,
                Resources.NONE,
                Set.of(),
                0,
                null,
                null,
                Map.of()));

        final SnapshotDiff differences = SnapshotDiff.between(
                said,
                List.of(same, changed.in(RUNNING), job(4, "bob", 1, RUNNING)),
                List.of(),
                List.of(),
                null,
                said.conditions());
        assertThat(differences.changed()).containsExactly(changed.in(RUNNING), job(4, "bob", 1, RUNNING));
        assertThat(differences.removed()).containsExactly(JobObserved.keyOf(key(3)));
        assertThat(SnapshotDiff.between(
                                said, List.of(gone, changed, same), List.of(), List.of(), null, said.conditions())
                        .isEmpty())
                .isTrue();
    }

    @Test
    void a_picture_includes_no_command_behind_one_that_is_still_under_way() {
        final IncludedCommands included = new IncludedCommands();
        included.readUpTo(5);
        included.exclude(CommandId.of("long"), 5);
        included.readUpTo(6);
        included.exclude(CommandId.of("later"), 8);
        included.readUpTo(9);
        assertThat(included.offset()).isEqualTo(5);
        included.include(CommandId.of("long"));
        assertThat(included.offset()).isEqualTo(8);
        included.include(CommandId.of("later"));
        assertThat(included.offset()).isEqualTo(9);
    }
}
