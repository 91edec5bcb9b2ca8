package io.millrace.submit.rest.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Preemption;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.submit.domain.job.CommandHistory;
import io.millrace.submit.domain.job.JobEvidence;
import io.millrace.submit.domain.policy.PartitionOpening;
import io.millrace.submit.domain.policy.WaitingJob;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WhyViewTest {

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final JobKey VICTIM = JobKey.of("alpha/17@2026-03-02T11:00:00Z");
    private static final JobKey OTHER = JobKey.of("alpha/18@2026-03-02T11:00:00Z");
    private static final JobKey BENEFICIARY = JobKey.of("alpha/19@2026-03-02T11:59:00Z");

    @Test
    void a_victim_gets_the_reason_and_the_cost_of_its_preemption() {
        assertThat(reasonFor(VICTIM)).isEqualTo("bob is within quota; this job is requeued: loses 40 min x 4 cores");
        assertThat(reasonFor(OTHER)).isEqualTo("bob is within quota; this job is suspended: loses nothing");
        assertThat(reasonFor(BENEFICIARY)).isEqualTo("bob is within quota");
    }

    @Test
    void a_waiting_job_shows_which_partitions_its_priority_opens_and_a_higher_one_would_open() {
        final JobObserved job = job(VICTIM, new JobState.Queued());
        final Entitlement right = new Entitlement(VICTIM, EntitlementLevel.BORROWED, 5350, "beyond quota 0")
                .withOtherPartitions(List.of(PartitionName.of("fast"), PartitionName.of("span")));
        final PriorityRules rules = PriorityRules.NONE.withOverflow(List.of(
                opens(5000, "fast", "span"), opens(9000, "span", "gpu"), opens(1_000_000, "idle", "elsewhere")));
        final List<PartitionOpening> openings = PartitionOpening.of(
                new WaitingJob(job, right),
                rules,
                Stream.of("main", "fast", "span", "gpu", "idle")
                        .map(PartitionName::of)
                        .collect(Collectors.toSet()));
        final JobEvidence evidence = new JobEvidence(
                null,
                job,
                List.of(right),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                openings,
                List.of());

        final WhyView why = WhyView.of(VICTIM.toString(), evidence);

        assertThat(why.summary())
                .endsWith(
                        "beyond quota 0. Its priority 5350 opens partitions fast, span (from priority 5000)."
                                + " A priority higher than its 5350 would open partitions gpu (from priority 9000), idle (from priority 1000000).");
        assertThat(why.openings())
                .contains(
                        new WhyView.OpeningView("span", 5000, true), new WhyView.OpeningView("idle", 1_000_000, false));
    }

    private static PartitionOverflow opens(final long at, final String... to) {
        return new PartitionOverflow(
                null, null, at, Stream.of(to).map(PartitionName::of).toList());
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
        final JobEvidence evidence = new JobEvidence(
                null,
                job(job, new JobState.Running(NOON, List.of())),
                List.of(),
                List.of(),
                List.of(),
                List.of(new CommandHistory(command, null, null)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        return WhyView.of(job.toString(), evidence).commands().getFirst().reason();
    }

    private static JobObserved job(final JobKey job, final JobState state) {
        return new JobObserved(
                job,
                "mesh",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(4),
                null,
                Eligibility.since(job.submittedAt()),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }
}
