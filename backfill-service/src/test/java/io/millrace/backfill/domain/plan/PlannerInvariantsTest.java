package io.millrace.backfill.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.view.TestCluster;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Invariants of the planner with random workloads that run to their end; jobs often end long before their limits. */
class PlannerInvariantsTest {

    private static final int WORLDS = 300;

    private record Job(QueuedJob asked, long submit_s, long run_s) {}

    private record Run(Job job, long start_s) {
        long end_s() {
            return start_s + job.run_s;
        }
    }

    private int backfilled;

    @Test
    void capacity_is_never_exceeded_no_job_starts_twice_and_no_head_job_is_late() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            final Random random = new Random(seed);
            final int cores = 4 + random.nextInt(60);
            play(seed, cores, jobs(random, cores), new BackfillPolicy(JobOrder.FCFS, random.nextInt(2)), random);
        }
        assertThat(backfilled).as("the worlds are interesting").isGreaterThan(WORLDS);
    }

    private static List<Job> jobs(final Random random, final int cores) {
        final List<Job> jobs = new ArrayList<>();
        long submit = 0;
        for (int i = 0; i < 60; i++) {
            submit += random.nextInt(4) == 0 ? 0 : random.nextInt(40);
            final long limit = 1 + random.nextInt(300);
            final JobKey key = new JobKey(new JobId(TestCluster.ALPHA, "j" + i), Instant.ofEpochSecond(submit));
            final QueuedJob asked = new QueuedJob(
                    key,
                    Resources.cores(1 + random.nextInt(cores)),
                    TestCluster.MAIN,
                    limit,
                    0,
                    false,
                    JobAttributes.UNKNOWN,
                    Placement.ANYWHERE,
                    List.of());
            jobs.add(new Job(asked, submit, 1 + random.nextLong(limit)));
        }
        return jobs;
    }

    private void play(
            final long seed, final int cores, final List<Job> jobs, final BackfillPolicy policy, final Random random) {
        final List<Job> toCome = new ArrayList<>(jobs);
        final List<Job> queue = new ArrayList<>();
        final List<Run> running = new ArrayList<>();
        final Set<JobKey> started = new HashSet<>();
        final Map<JobKey, Long> promised = new HashMap<>();
        long now = 0;
        while (!toCome.isEmpty() || !queue.isEmpty() || !running.isEmpty()) {
            now = next(toCome, running);
            final long t = now;
            running.removeIf(run -> run.end_s() <= t);
            toCome.stream().filter(job -> job.submit_s <= t).forEach(queue::add);
            toCome.removeIf(job -> job.submit_s <= t);

            final QueueSnapshot view = view(cores, queue, running);
            final Schedule schedule = BackfillPlanner.plan(view, policy, now);
            final List<QueuedJob> shuffled = new ArrayList<>(view.queued());
            Collections.shuffle(shuffled, random);
            final Schedule again = BackfillPlanner.plan(
                    QueueSnapshot.ofCores(view.idleCores(), shuffled, view.running()), policy, now);
            assertThat(List.of(again.starts(), again.reservations(), again.waiting()))
                    .as("seed %d at %d: same input, same output", seed, now)
                    .isEqualTo(List.of(schedule.starts(), schedule.reservations(), schedule.waiting()));

            for (final Start start : schedule.starts()) {
                final JobKey key = start.job().job();
                assertThat(started.add(key))
                        .as("seed %d: %s starts once", seed, key)
                        .isTrue();
                assertThat(t)
                        .as("seed %d: %s keeps its reservation", seed, key)
                        .isLessThanOrEqualTo(promised.getOrDefault(key, Long.MAX_VALUE));
                backfilled += start.isBackfilled() ? 1 : 0;
                final Job job = queue.stream()
                        .filter(j -> j.asked == start.job())
                        .findFirst()
                        .orElseThrow();
                queue.remove(job);
                running.add(new Run(job, now));
            }
            if (schedule.reservation() != null) {
                promised.merge(
                        schedule.reservation().head().job(),
                        schedule.reservation().shadow().second(),
                        Math::min);
            }
            final int used =
                    running.stream().mapToInt(run -> run.job.asked.cores()).sum();
            assertThat(used).as("seed %d at %d", seed, now).isLessThanOrEqualTo(cores);
            assertThat(schedule.waiting()).as("seed %d at %d", seed, now).hasSize(queue.size());
        }
        assertThat(started).as("seed %d: every job ran", seed).hasSize(jobs.size());
    }

    private static long next(final List<Job> toCome, final List<Run> running) {
        final long submit = toCome.stream().mapToLong(Job::submit_s).min().orElse(Long.MAX_VALUE);
        final long end = running.stream().mapToLong(Run::end_s).min().orElse(Long.MAX_VALUE);
        return Math.min(submit, end);
    }

    private static QueueSnapshot view(final int cores, final List<Job> queue, final List<Run> running) {
        final int used = running.stream().mapToInt(run -> run.job.asked.cores()).sum();
        return QueueSnapshot.ofCores(
                cores - used,
                queue.stream().map(Job::asked).toList(),
                running.stream()
                        .map(run -> new RunningJob(
                                run.job.asked.job(),
                                run.job.asked.resources(),
                                TestCluster.MAIN,
                                run.job.asked.endIfStartedAt(run.start_s),
                                List.of()))
                        .toList());
    }
}
