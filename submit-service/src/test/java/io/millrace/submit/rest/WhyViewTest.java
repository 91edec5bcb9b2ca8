package io.millrace.submit.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Preemption;
import io.millrace.submit.domain.CommandStory;
import io.millrace.submit.domain.Evidence;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WhyViewTest {

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final JobKey VICTIM = JobKey.of("alpha/17@2026-03-02T11:00:00Z");
    private static final JobKey OTHER = JobKey.of("alpha/18@2026-03-02T11:00:00Z");
    private static final JobKey BENEFICIARY = JobKey.of("alpha/19@2026-03-02T11:59:00Z");

    @Test
    void a_victim_is_told_in_which_way_it_leaves_and_what_that_loses() {
        assertThat(reasonFor(VICTIM)).isEqualTo("bob is within quota. This job is requeued: loses 40 min x 4 cores");
        assertThat(reasonFor(OTHER)).isEqualTo("bob is within quota. This job is suspended: loses nothing");
        assertThat(reasonFor(BENEFICIARY)).isEqualTo("bob is within quota");
    }

    private static @Nullable String reasonFor(final JobKey job) {
        final Action reclaim = new Action.Reclaim(
                List.of(VICTIM, OTHER),
                BENEFICIARY,
                List.of(
                        new Preemption(VICTIM, Preemption.Mode.REQUEUE, null, 9600, "requeued: loses 40 min x 4 cores"),
                        new Preemption(OTHER, Preemption.Mode.SUSPEND, null, 0, "suspended: loses nothing")));
        final Command command = new Command(
                Command.idOf(Issuer.QUOTA, reclaim, 0),
                ClusterId.of("alpha"),
                Issuer.QUOTA,
                7,
                NOON,
                NOON.plusSeconds(60),
                List.of(),
                reclaim,
                "bob is within quota");
        final Evidence evidence = new Evidence(
                null,
                running(job),
                List.of(),
                List.of(),
                List.of(),
                List.of(new CommandStory(command, null, null)),
                List.of(),
                List.of());
        return WhyView.of(job.toString(), evidence).commands().getFirst().reason();
    }

    private static JobObserved running(final JobKey job) {
        return new JobObserved(
                job,
                "mesh",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                new JobState.Running(NOON, List.of()),
                null,
                Resources.cores(4),
                null,
                null,
                null,
                0,
                0,
                new CheckpointMethod.None());
    }
}
