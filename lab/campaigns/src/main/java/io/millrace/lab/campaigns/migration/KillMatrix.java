package io.millrace.lab.campaigns.migration;

import io.millrace.story.Pause;
import io.millrace.story.ProgressOutput;
import io.millrace.story.StackParts;
import io.millrace.story.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Kills a part while a job is in a state, starts it again, and checks the job when it is over. */
final class KillMatrix {

    private static final long FILE_BYTES = 3 << 20;
    /** Slow enough that a job is found in a state in which its files are copied, also on a busy machine. */
    private static final String SLOW = "1mbit";

    private static final int TRIES = 3;
    private static final Duration LOOK = Duration.ofMillis(50);

    private final TwoHosts hosts;
    private final StackParts stack;
    private final MovedJobs jobs;
    private final ProgressOutput output;
    private final Random random;

    KillMatrix(
            final TwoHosts hosts,
            final StackParts stack,
            final MovedJobs jobs,
            final ProgressOutput output,
            final Random random) {
        this.hosts = hosts;
        this.stack = stack;
        this.jobs = jobs;
        this.output = output;
        this.random = random;
    }

    Verdict verdict(final List<KillCase> cases) {
        final List<String> faults = new ArrayList<>();
        for (final KillCase one : cases) {
            final long begun = System.nanoTime();
            final List<String> found = run(one);
            output.print("%s: %s after %.1f s"
                    .formatted(
                            one,
                            found.isEmpty() ? "the job ran once, its results are at home" : found,
                            (System.nanoTime() - begun) / 1e9));
            found.forEach(fault -> faults.add(one + ": " + fault));
        }
        return new Verdict(
                "A job is not lost and does not run twice if an agent, migration-service or transfer-service is killed",
                faults.isEmpty(),
                cases.size() + " kills, " + faults.size() + " violations" + (faults.isEmpty() ? "" : ": " + faults));
    }

    private List<String> run(final KillCase one) {
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            final String name =
                    "%s-%s-%d".formatted(one.part(), one.state(), attempt).toLowerCase(Locale.ROOT);
            final boolean hit = killIn(one, name);
            hosts.setRate(TwoHosts.FAST);
            List.of(MovedJobs.Gate.values()).forEach(gate -> jobs.open(gate, name));
            final List<String> late = jobs.awaitEnds(List.of(name));
            final List<String> faults = new ArrayList<>(late.stream()
                    .map(job -> job + " is not over: " + jobs.why(job))
                    .toList());
            faults.addAll(jobs.faults(name));
            if (hit || !faults.isEmpty()) {
                return faults;
            }
        }
        return List.of("no job was seen in " + one.state() + " in " + TRIES + " tries");
    }

    /** Whether the job was in the state when the part was killed. */
    private boolean killIn(final KillCase one, final String name) {
        final KillCase.State state = one.state();
        jobs.write(name, jobs.randomFile(name + "/input.bin", FILE_BYTES), FILE_BYTES, closedIn(state));
        jobs.giveAll();
        if (state == KillCase.State.UPLOADING) {
            hosts.setRate(SLOW);
        }
        jobs.submit(List.of(name));
        if (state == KillCase.State.DOWNLOADING) {
            await(KillCase.State.SUBMITTED, name);
            hosts.setRate(SLOW);
            jobs.open(MovedJobs.Gate.RUN, name);
        }
        if (!await(state, name)) {
            return false;
        }
        Pause.of(Duration.ofMillis(random.nextInt(3_000)));
        final boolean hit = jobs.stage(name).equals(state.toString());
        stack.signal(one.part(), "KILL");
        hosts.setRate(TwoHosts.FAST);
        stack.restart(one.part());
        return hit;
    }

    /** Where the job waits, so that the part is killed in the state however fast the machine is. */
    private static List<MovedJobs.Gate> closedIn(final KillCase.State state) {
        return switch (state) {
            case UPLOADING -> List.of();
            case MAKING -> List.of(MovedJobs.Gate.MAKE);
            case SUBMITTED, DOWNLOADING -> List.of(MovedJobs.Gate.RUN);
        };
    }

    /** Waits until the job is in the state; false if it has passed it. */
    private boolean await(final KillCase.State wanted, final String name) {
        String state = jobs.stage(name);
        while (!state.equals(wanted.toString())) {
            if (wanted.isBefore(state)) {
                return false;
            }
            Pause.of(LOOK);
            state = jobs.stage(name);
        }
        return true;
    }
}
