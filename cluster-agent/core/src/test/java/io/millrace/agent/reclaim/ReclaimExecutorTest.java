package io.millrace.agent.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.checkpoint.CheckpointExecutor;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReclaimExecutorTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final JobState RUNNING = new JobState.Running(NOON, List.of());
    private static final JobState HELD = new JobState.Held(HoldKind.ENTRY);

    private final OneNode wlm = new OneNode();

    private Result.Done reclaim(final Action.Reclaim reclaim) throws InterruptedException {
        final Result result = execute(reclaim);
        assertThat(result).isInstanceOf(Result.Done.class);
        return (Result.Done) result;
    }

    private Result execute(final Action.Reclaim reclaim) throws InterruptedException {
        final Command command = new Command(
                Command.idOf(Issuer.QUOTA, reclaim, 0),
                CLUSTER,
                Issuer.QUOTA,
                1,
                NOON,
                NOON.plusSeconds(60),
                List.of(),
                reclaim,
                "test");
        final CheckpointExecutor noCheckpoints = new CheckpointExecutor(wlm.adapter(), null, null, Clock.systemUTC());
        return new ReclaimExecutor(
                        wlm.adapter(),
                        new VictimPreemption(wlm.adapter(), noCheckpoints),
                        new VictimRelease(wlm.adapter(), settled -> {}, Clock.systemUTC(), Duration.ofMinutes(5)),
                        Clock.systemUTC(),
                        Duration.ofMinutes(5))
                .execute(command, reclaim);
    }

    @Test
    void the_named_tasks_of_an_array_start_together_on_the_cores_of_the_victims() throws InterruptedException {
        wlm.put(job("1", 4, RUNNING));
        wlm.put(job("2", 2, RUNNING));
        wlm.put(array("3-9"));

        final Result.Done done = reclaim(new Action.Reclaim(List.of(key("1"), key("2")), key("7"), null, null, "3-5"));

        assertThat(wlm.starts).containsExactly("3-5");
        assertThat(done.tasks()).isEqualTo("3-5");
        assertThat(done.preempted()).containsExactly(key("1"), key("2"));
        assertThat(wlm.jobs.get(key("7")).detail().array().indices()).isEqualTo("6-9");
    }

    @Test
    void all_waiting_tasks_may_be_named() throws InterruptedException {
        wlm.put(job("1", 6, RUNNING));
        wlm.put(array("3-5"));

        assertThat(reclaim(new Action.Reclaim(List.of(key("1")), key("7"), null, null, "3-5"))
                        .tasks())
                .isEqualTo("3-5");
        assertThat(wlm.jobs).doesNotContainKey(key("7"));
    }

    /** */
    @Test
    void a_victim_that_was_released_a_moment_ago_is_preempted_when_it_runs() throws InterruptedException {
        wlm.put(job("1", 4, RUNNING));
        wlm.put(job("2", 2, new JobState.Queued()));
        wlm.put(array("3-9"));
        wlm.runsAtTheNextObservation = key("2");

        assertThat(reclaim(new Action.Reclaim(List.of(key("1"), key("2")), key("7"), null, null, "3-5"))
                        .preempted())
                .containsExactly(key("1"), key("2"));
    }

    /** */
    @Test
    void a_start_that_fits_nowhere_ends_the_reclaim_at_once_and_the_victims_run_again() throws InterruptedException {
        wlm.put(job("1", 4, RUNNING));
        wlm.put(job("2", 2, RUNNING));
        wlm.put(job("8", 6, HELD));
        wlm.fitsNowhere = key("8");

        final Result result = execute(new Action.Reclaim(List.of(key("1"), key("2")), key("8")));

        assertThat(result).isInstanceOfSatisfying(Result.Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(VetoCode.NO_SUITABLE_NODES.code());
            assertThat(failed.reason())
                    .contains("alpha/8 fits on no nodes")
                    .contains("2 of 2 victims left their cores")
                    .contains("2 of 2 victims were started again");
            assertThat(failed.whileUnchanged())
                    .isEqualTo(PlacementRequest.of(wlm.jobs.get(key("8")))
                            .onNodes(wlm.observe().get().nodes()));
        });
        assertThat(wlm.jobs.get(key("1")).state()).isEqualTo(RUNNING);
        assertThat(wlm.jobs.get(key("2")).state()).isEqualTo(RUNNING);
        assertThat(wlm.jobs.get(key("8")).state()).isEqualTo(HELD);
    }

    /** OpenLava shows a requeued job as running until its processes have ended. */
    @Test
    void a_victim_that_leaves_its_cores_after_the_start_of_the_beneficiary_is_released_under_native_control()
            throws InterruptedException {
        wlm.control = Control.NATIVE;
        wlm.put(job("1", 2, RUNNING));
        wlm.put(job("8", 2, HELD));
        wlm.leavesAfterStartOf = key("8");

        reclaim(new Action.Reclaim(List.of(key("1")), key("8")));

        assertThat(wlm.jobs.get(key("8")).state()).isEqualTo(RUNNING);
        assertThat(wlm.jobs.get(key("1")).state()).isEqualTo(new JobState.Queued());
    }

    private static JobKey key(final String id) {
        return new JobKey(new JobId(CLUSTER, id), NOON);
    }

    private static JobObserved array(final String indices) {
        return job("7", 2, HELD)
                .with(JobDetail.NONE.with(new ArrayTasks("7", indices, ArrayIndices.count(indices), null)));
    }

    private static JobObserved job(final String id, final int cores, final JobState state) {
        return new JobObserved(
                key(id),
                id,
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(cores),
                null,
                Eligibility.since(NOON),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    /** Six cores; a start of tasks takes effect at once, a requeued job is held. */
    private static final class OneNode
            implements Observing, Submitting, Cancelling, Starting, ArrayStarting, Requeueing, Holding {

        private WorkloadManager adapter() {
            return WorkloadManager.of(this, this, this)
                    .with(Starting.class, this)
                    .with(ArrayStarting.class, this)
                    .with(Requeueing.class, this)
                    .with(Holding.class, this);
        }

        private final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
        private final List<String> starts = new ArrayList<>();
        private JobKey runsAtTheNextObservation;
        private JobKey fitsNowhere;
        private Control control = Control.DIRECTED;
        /** A requeued job leaves its cores two observations after this one runs. */
        private JobKey leavesAfterStartOf;

        private final List<JobKey> leaving = new ArrayList<>();
        private int observationsUntilLeft = 2;

        private void put(final JobObserved job) {
            jobs.put(job.job(), job);
        }

        @Override
        public String version() {
            return "test";
        }

        @Override
        public Answer<Observation> observe() {
            final List<JobObserved> seen = List.copyOf(jobs.values());
            final int used = seen.stream()
                    .filter(job -> job.state().occupiesCores())
                    .mapToInt(job -> job.resources().cores())
                    .sum();
            if (!leaving.isEmpty()
                    && jobs.get(leavesAfterStartOf).state().equals(RUNNING)
                    && observationsUntilLeft-- == 0) {
                leaving.forEach(job -> set(job, HELD));
                leaving.clear();
            }
            if (runsAtTheNextObservation != null) {
                set(runsAtTheNextObservation, RUNNING);
                runsAtTheNextObservation = null;
            }
            final NodeObserved node = new NodeObserved(
                    CLUSTER,
                    NodeName.of("n1"),
                    NodeObserved.Availability.UP,
                    Resources.cores(6),
                    Resources.cores(6 - used),
                    null,
                    List.of(),
                    List.of());
            return Answer.ok(new Observation(NOON, control, seen, List.of(node), List.of()));
        }

        @Override
        public Answer<StartedTasks> start(final JobKey array, final String indices) {
            starts.add(indices);
            final String left =
                    ArrayIndices.without(jobs.remove(array).detail().array().indices(), indices);
            if (!left.isEmpty()) {
                put(array(left));
            }
            ArrayIndices.read(indices).forEach(task -> put(job("7_" + task, 2, RUNNING)));
            return Answer.ok(new StartedTasks(indices, "started tasks " + indices));
        }

        @Override
        public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
            if (!(jobs.get(job).state() instanceof JobState.Running)) {
                return Answer.trouble(Answer.Kind.WRONG_STATE, job + " does not run");
            }
            set(job, HELD);
            return Answer.ok(new Accepted("requeued"));
        }

        private void set(final JobKey job, final JobState state) {
            jobs.computeIfPresent(job, (key, seen) -> seen.in(state));
        }

        @Override
        public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
            leaving.add(job);
            return Answer.ok(new Accepted("requeued"));
        }

        @Override
        public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
            if (!jobs.get(job).state().equals(new JobState.Held(kind))) {
                return Answer.trouble(Answer.Kind.WRONG_STATE, job + " is not held by " + kind);
            }
            set(job, new JobState.Queued());
            return Answer.ok(new Accepted("released"));
        }

        @Override
        public Answer<Accepted> start(final JobKey job) {
            if (job.equals(fitsNowhere)) {
                return Answer.trouble(Answer.Kind.DOES_NOT_FIT, job.id() + " fits on no nodes");
            }
            set(job, RUNNING);
            return Answer.ok(new Accepted("started"));
        }

        @Override
        public Answer<JobKey> submit(final Submission submission) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer<Accepted> cancel(final JobKey job) {
            throw new UnsupportedOperationException();
        }
    }
}
