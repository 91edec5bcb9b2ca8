package io.millrace.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.checkpoint.CheckpointStore;
import io.millrace.agent.domain.Run;
import io.millrace.agent.domain.RunSettlement;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Placement;
import io.millrace.model.cluster.RunOutcome;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunEndResolverTest {

    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final JobState RUNNING = new JobState.Running(NOON.minusSeconds(100), List.of());

    @TempDir
    @Nullable
    Path folder;

    @Test
    void a_run_of_a_subjob_that_waits_with_its_array_again_is_reported_as_requeued() {
        final JobObserved subjob = task("12[3].pbs", "3", RUNNING);
        final JobObserved array = task("12[].pbs", "3-9", new JobState.Queued());
        final Run putBack =
                new Run(subjob.job(), 1, NOON.minusSeconds(100), NOON, new RunOutcome.Requeued(), "accounting log");

        final RunSettlement settlement =
                settling(Answer.ok(List.of(putBack))).settle(List.of(subjob), List.of(array), NOON);

        assertThat(settlement.ends()).singleElement().satisfies(end -> {
            assertThat(end.job()).isEqualTo(subjob.job());
            assertThat(end.outcome()).isEqualTo(new RunOutcome.Requeued());
            assertThat(end.lostCoreSeconds()).isEqualTo(200);
        });
        assertThat(settlement.unsettled()).isEmpty();
        assertThat(settlement.settled()).isEmpty();
    }

    @Test
    void a_subjob_that_waits_with_its_array_again_and_of_which_accounting_knows_nothing_is_not_guessed_about() {
        final RunSettlement settlement = settling(Answer.ok(List.of()))
                .settle(
                        List.of(task("12[3].pbs", "3", RUNNING)),
                        List.of(task("12[].pbs", "3-9", new JobState.Queued())),
                        NOON);

        assertThat(settlement.ends()).isEmpty();
        assertThat(settlement.unsettled()).isEmpty();
    }

    @Test
    void a_subjob_whose_index_waits_no_more_is_unsettled_until_accounting_knows_its_end() {
        final RunSettlement settlement = settling(Answer.ok(List.of()))
                .settle(
                        List.of(task("12[3].pbs", "3", RUNNING)),
                        List.of(task("12[].pbs", "4-9", new JobState.Queued())),
                        NOON);

        assertThat(settlement.ends()).isEmpty();
        assertThat(settlement.unsettled()).hasSize(1);
    }

    private RunEndResolver settling(final Answer<List<Run>> answer) {
        return new RunEndResolver(
                wlm(answer), new CheckpointStore(java.util.Objects.requireNonNull(folder)), Duration.ofMinutes(5));
    }

    /** Nothing but its accounting is asked. */
    private static WorkloadManager wlm(final Answer<List<Run>> answer) {
        return WorkloadManager.of(unasked(Observing.class), unasked(Submitting.class), unasked(Cancelling.class))
                .with(Accounting.class, jobs -> {
                    assertThat(jobs).isNotEmpty();
                    return answer;
                });
    }

    private static <R> R unasked(final Class<R> role) {
        return role.cast(Proxy.newProxyInstance(
                RunEndResolverTest.class.getClassLoader(), new Class<?>[] {role}, (proxy, method, args) -> {
                    throw new AssertionError(method + " was not expected");
                }));
    }

    private static JobObserved task(final String id, final String indices, final JobState state) {
        return new JobObserved(
                new JobKey(new JobId(ClusterId.of("alpha"), id), NOON.minusSeconds(900)),
                "array",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                state,
                null,
                new Resources(2, 1, 0, 0),
                Duration.ofHours(1),
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                new JobDetail(
                        null,
                        new ArrayTasks("12[].pbs", indices, indices.length() == 1 ? 1 : 7, null),
                        List.of(),
                        Placement.ANYWHERE,
                        false,
                        true,
                        null));
    }
}
