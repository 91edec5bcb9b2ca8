package io.millrace.lab.campaigns.plane;

import io.millrace.story.Pause;
import io.millrace.story.StackParts;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Jobs in several rounds, and what they cost. The parts become faster while they run, because their code is compiled, so there is a line for
 * each round, and the tables show the last one.
 */
final class PlaneRounds {

    private static final Duration IDLE = Duration.ofSeconds(20);
    /** Until the last records are processed and compilers have finished. */
    private static final Duration SETTLED = Duration.ofSeconds(10);

    private static final int SHARE_ELSEWHERE = 4;

    private final StackParts stack;
    /** Jobs that run where they are submitted. */
    private final SubmissionLoad load;
    /** Jobs that must run on another cluster. */
    private final Optional<SubmissionLoad> loadElsewhere;

    private final Runnable awaitEnds;
    private final PrintStream out;

    PlaneRounds(
            final StackParts stack,
            final SubmissionLoad load,
            final Optional<SubmissionLoad> loadElsewhere,
            final Runnable awaitEnds,
            final PrintStream out) {
        this.stack = stack;
        this.load = load;
        this.loadElsewhere = loadElsewhere;
        this.awaitEnds = awaitEnds;
        this.out = out;
    }

    /** What some jobs used together, from the first submission to the last end. */
    private record Batch(int jobs, SubmissionLoad.Result submitted, double seconds, PlaneFigures used) {

        double perSecond() {
            return jobs / seconds;
        }

        /** The processor time of each job, of all processes of this machine. */
        double machineMs() {
            return used.machineSeconds() * 1000 / jobs;
        }

        /** The processor time of each job, of the programs that the agents start: the job itself, copies, queries. */
        double programsMs() {
            return used.processorSeconds().getOrDefault(PlaneFigures.CHILDREN, 0.0) * 1000 / jobs;
        }

        /** The processor time of each job, of all parts. */
        double planeMs() {
            return PlaneFigures.total(used.processorSeconds()) * 1000 / jobs - programsMs();
        }

        Map<String, Double> perJob(final Function<PlaneFigures, Map<String, Double>> which) {
            return which.apply(used).entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, figure -> figure.getValue() / jobs));
        }
    }

    void run(final int jobs, final int connections, final int rounds) {
        StackLog.keepAll(stack);
        print("       jobs on their source cluster                                        jobs on another cluster");
        print("round  accepted/s  p99, ms  ended/s  machine, ms  plane, ms  programs, ms  ended/s  machine, ms "
                + " plane, ms  programs, ms");
        for (int round = 1; round <= rounds; round++) {
            final Instant started = Instant.now();
            final Batch here = batch(load, jobs, connections);
            final Optional<Batch> elsewhere =
                    loadElsewhere.map(more -> batch(more, Math.max(1, jobs / SHARE_ELSEWHERE), connections));
            line(round, here, elsewhere);
            if (round == rounds) {
                tables(idle(), here, elsewhere);
                steps(started);
            }
        }
    }

    private PlaneFigures idle() {
        Pause.of(SETTLED);
        final PlaneFigures before = PlaneFigures.read(stack);
        Pause.of(IDLE);
        return PlaneFigures.read(stack).since(before);
    }

    private static double idleCores(final double seconds) {
        return seconds / IDLE.toSeconds();
    }

    private Batch batch(final SubmissionLoad submissions, final int jobs, final int connections) {
        final PlaneFigures before = PlaneFigures.read(stack);
        final long begin = System.nanoTime();
        final SubmissionLoad.Result submitted = submissions.run(jobs, connections);
        awaitEnds.run();
        final double seconds = (System.nanoTime() - begin) / 1e9;
        return new Batch(jobs, submitted, seconds, PlaneFigures.read(stack).since(before));
    }

    private void line(final int round, final Batch here, final Optional<Batch> elsewhere) {
        final String second = elsewhere.map(PlaneRounds::figures).orElse("");
        print(
                "%5d %11.1f %8d%s%s",
                round, here.submitted().perSecond(), here.submitted().percentileMs(0.99), figures(here), second);
    }

    private static String figures(final Batch batch) {
        return text(
                "%9.2f %12.1f %10.1f %13.1f",
                batch.perSecond(), batch.machineMs(), batch.planeMs(), batch.programsMs());
    }

    private void tables(final PlaneFigures idle, final Batch here, final Optional<Batch> elsewhere) {
        out.println();
        print("%-28s %9s %9s %12s %9s", "last round", "source", "another", "idle, cores", "MiB");
        out.println("processor time per job, ms");
        final Map<String, Double> memory = elsewhere.orElse(here).used().memoryMib();
        final Map<String, Double> seconds = here.perJob(PlaneFigures::processorSeconds);
        final Map<String, Double> secondsElsewhere = perJob(elsewhere, PlaneFigures::processorSeconds);
        here.used()
                .processorSeconds()
                .keySet()
                .forEach(part -> print(
                        "  %-26s %9.1f %9.1f %12.4f %9.0f",
                        part,
                        seconds.getOrDefault(part, 0.0) * 1000,
                        secondsElsewhere.getOrDefault(part, 0.0) * 1000,
                        idleCores(idle.processorSeconds().getOrDefault(part, 0.0)),
                        memory.getOrDefault(part, 0.0)));
        print(
                "  %-26s %9.1f %9.1f %12.4f %9.0f",
                "all parts",
                here.planeMs(),
                elsewhere.map(Batch::planeMs).orElse(0.0),
                idleCores(PlaneFigures.total(idle.processorSeconds())),
                PlaneFigures.total(memory));
        perJob("records per job", PlaneFigures::records, here, elsewhere);
        perJob("SQL statements per job", PlaneFigures::statements, here, elsewhere);
    }

    private static Map<String, Double> perJob(
            final Optional<Batch> batch, final Function<PlaneFigures, Map<String, Double>> which) {
        return batch.map(some -> some.perJob(which)).orElse(Map.of());
    }

    private void perJob(
            final String title,
            final Function<PlaneFigures, Map<String, Double>> which,
            final Batch here,
            final Optional<Batch> elsewhere) {
        final Map<String, Double> first = here.perJob(which);
        final Map<String, Double> second = perJob(elsewhere, which);
        out.println(title);
        first.entrySet().stream()
                .filter(figure -> figure.getValue() > 0 || second.getOrDefault(figure.getKey(), 0.0) > 0)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(figure -> print(
                        "  %-26s %9.2f %9.2f",
                        figure.getKey(), figure.getValue(), second.getOrDefault(figure.getKey(), 0.0)));
    }

    private void steps(final Instant since) {
        final JobTimeline timeline = JobTimeline.of(StackLog.read(stack, JobTimeline.TOPICS));
        steps("jobs on their source cluster", timeline.waits(since, false));
        steps("jobs on another cluster", timeline.waits(since, true));
    }

    private void steps(final String title, final List<JobTimeline.Wait> waits) {
        if (waits.isEmpty()) {
            return;
        }
        out.println();
        print("%-34s %8s %8s %8s %8s", title + ", ms", "jobs", "p50", "p90", "p99");
        waits.forEach(wait -> print(
                "  %-32s %8d %8d %8d %8d",
                wait.step(),
                wait.milliseconds().length,
                wait.percentile(0.5),
                wait.percentile(0.9),
                wait.percentile(0.99)));
    }

    private void print(final String format, final Object... values) {
        out.println(text(format, values));
    }

    private static String text(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
