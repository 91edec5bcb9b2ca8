package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.action.ActionContext;
import io.millrace.agent.action.CrashRecovery;
import io.millrace.agent.checkpoint.CheckpointRecovery;
import io.millrace.agent.checkpoint.CheckpointStore;
import io.millrace.agent.observe.RunEndResolver;
import io.millrace.agent.reclaim.VictimRelease;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class VictimReleaseTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final JobState RUNNING = new JobState.Running(NOON, List.of());
    private static final JobState QUEUED = new JobState.Queued();
    private static final JobState HELD = new JobState.Held(HoldKind.ENTRY);
    private static final JobKey VICTIM = new JobKey(new JobId(CLUSTER, "1"), NOON);
    private static final JobKey BENEFICIARY = new JobKey(new JobId(CLUSTER, "2"), NOON);
    private static final Command RECLAIM = new Command(
            CommandId.of("reclaim"),
            CLUSTER,
            Issuer.QUOTA,
            1,
            NOON,
            NOON.plusSeconds(60),
            List.of(),
            new Action.Reclaim(List.of(VICTIM), BENEFICIARY),
            "test");

    private final Victims wlm = new Victims();
    private final BackgroundCommands background = new BackgroundCommands(() -> {});

    private VictimRelease release(final Duration limit) {
        return new VictimRelease(wlm.adapter(), background::settle, Clock.systemUTC(), limit);
    }

    @Test
    void a_victim_is_released_again_until_the_workload_manager_has_done_it() throws InterruptedException {
        wlm.jobs.put(VICTIM, HELD);
        wlm.refuse(Answer.Kind.TIMEOUT, Answer.Kind.DOWN, Answer.Kind.UNREADABLE);

        release(Duration.ofMinutes(3)).release(RECLAIM.id(), List.of(VICTIM));

        assertThat(wlm.jobs).containsEntry(VICTIM, QUEUED);
        assertThat(wlm.releases).hasSize(4);
    }

    @Test
    void a_final_answer_ends_it() throws InterruptedException {
        for (final Answer.Kind kind :
                List.of(Answer.Kind.NO_SUCH_JOB, Answer.Kind.WRONG_STATE, Answer.Kind.DENIED, Answer.Kind.REJECTED)) {
            wlm.releases.clear();
            wlm.jobs.put(VICTIM, HELD);
            wlm.refuse(kind);
            release(Duration.ofMinutes(3)).release(RECLAIM.id(), List.of(VICTIM));
            assertThat(wlm.releases).as("%s", kind).hasSize(1);
        }
    }

    /** OpenLava shows a requeued job as running until its processes have ended. */
    @Test
    void a_victim_that_still_leaves_its_cores_is_released_when_it_has_left_them() throws InterruptedException {
        wlm.jobs.put(VICTIM, RUNNING);
        wlm.heldAfterObservations = 2;

        release(Duration.ofMinutes(3)).release(RECLAIM.id(), List.of(VICTIM));

        assertThat(wlm.jobs).containsEntry(VICTIM, QUEUED);
    }

    @Test
    void a_victim_that_still_runs_after_the_limit_was_not_preempted() throws InterruptedException {
        wlm.jobs.put(VICTIM, RUNNING);

        release(Duration.ofSeconds(1)).release(RECLAIM.id(), List.of(VICTIM));

        assertThat(wlm.releases).isEmpty();
    }

    @Test
    void under_directed_control_it_stays_held() throws InterruptedException {
        wlm.control = Control.DIRECTED;
        wlm.jobs.put(VICTIM, HELD);

        release(Duration.ofMinutes(3)).release(RECLAIM.id(), List.of(VICTIM));

        assertThat(wlm.jobs).containsEntry(VICTIM, HELD);
    }

    @Test
    void other_commands_wait_for_it_only_until_the_limit_and_it_is_repeated_after_that() throws InterruptedException {
        wlm.jobs.put(VICTIM, HELD);
        wlm.refuse(Answer.Kind.TIMEOUT);
        final CountDownLatch settled = new CountDownLatch(1);
        final CountDownLatch finished = new CountDownLatch(1);
        wlm.onSecondRelease = () -> {
            assertThat(background.isChangingQueue()).isFalse();
            assertThat(background.isRunning(RECLAIM.id())).isTrue();
            assertThat(background.takeSettled()).containsExactly(RECLAIM.id());
            assertThat(background.takeSettled()).isEmpty();
            settled.countDown();
        };

        background.start(RECLAIM, () -> {
            assertThat(background.isChangingQueue()).isTrue();
            release(Duration.ZERO).release(RECLAIM.id(), List.of(VICTIM));
            finished.countDown();
            return ResultMapper.done("done");
        });
        finished.await();

        assertThat(settled.getCount()).isZero();
        assertThat(wlm.jobs).containsEntry(VICTIM, QUEUED);
    }

    @Test
    void after_a_crash_the_victims_are_released_before_the_reclaim_is_answered(@TempDir final Path folder)
            throws InterruptedException {
        wlm.jobs.put(VICTIM, HELD);
        wlm.jobs.put(BENEFICIARY, RUNNING);
        wlm.refuse(Answer.Kind.TIMEOUT, Answer.Kind.DOWN);
        final CheckpointStore none = new CheckpointStore(folder);
        final RunEndResolver ends = new RunEndResolver(wlm.adapter(), none, Duration.ofMinutes(1));
        final CrashRecovery recovery = new CrashRecovery(
                new ActionContext(wlm.adapter(), null, null, null, null, null, null, (submit, job) -> {}),
                ends,
                new CheckpointRecovery(ends, null, none.entries()),
                release(Duration.ofMinutes(3)),
                Clock.systemUTC(),
                Duration.ZERO);

        assertThat(recovery.examine(RECLAIM, NOON)).isInstanceOf(Result.Done.class);

        assertThat(wlm.jobs).containsEntry(VICTIM, QUEUED);
        assertThat(wlm.releases).hasSize(3);
    }

    /** Jobs under native control; some releases are refused. */
    private static final class Victims implements Observing, Submitting, Cancelling, Holding {

        private WorkloadManager adapter() {
            return WorkloadManager.of(this, this, this).with(Holding.class, this);
        }

        private final Map<JobKey, JobState> jobs = new LinkedHashMap<>();
        private final List<JobKey> releases = new ArrayList<>();
        private final Queue<Answer.Kind> refusals = new ArrayDeque<>();
        private Control control = Control.NATIVE;
        private int heldAfterObservations = -1;
        private Runnable onSecondRelease = () -> {};

        private void refuse(final Answer.Kind... kinds) {
            refusals.clear();
            refusals.addAll(List.of(kinds));
        }

        @Override
        public Answer<Observation> observe() {
            if (heldAfterObservations-- == 0) {
                jobs.replaceAll((job, state) -> HELD);
            }
            final List<JobObserved> seen = jobs.entrySet().stream()
                    .map(job -> new JobObserved(
                            job.getKey(),
                            "job",
                            UserName.of("anna"),
                            null,
                            PartitionName.of("main"),
                            job.getValue(),
                            null,
                            Resources.cores(1),
                            null,
                            Eligibility.since(NOON),
                            null,
                            0,
                            0,
                            new CheckpointMethod.None(),
                            JobDetail.NONE))
                    .toList();
            return Answer.ok(new Observation(NOON, control, seen, List.of(), List.of()));
        }

        @Override
        public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
            assertThat(kind).isEqualTo(HoldKind.ENTRY);
            releases.add(job);
            if (releases.size() == 2) {
                onSecondRelease.run();
            }
            final Answer.Kind refusal = refusals.poll();
            if (refusal != null) {
                return Answer.trouble(refusal, "as the test wants");
            }
            jobs.put(job, QUEUED);
            return Answer.ok(new Accepted("released"));
        }

        @Override
        public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String version() {
            return "test";
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
