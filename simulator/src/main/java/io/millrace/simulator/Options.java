package io.millrace.simulator;

import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.simulator.workload.Workload;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the command line asks for.
 *
 * @param trace a log; empty: a workload is generated
 * @param cores empty: as many as the trace's header says
 * @param gantt where the picture goes
 * @param ganttJobs how many jobs it shows
 * @param swf where the workload goes, as a log
 */
record Options(
        Optional<Path> trace,
        Optional<Workload> generate,
        Optional<Integer> cores,
        BackfillPolicy policy,
        EventOrder order,
        double checkpointable,
        long seed,
        Optional<NodeFaults> faults,
        Optional<Path> jobs,
        Optional<Path> segments,
        Optional<Path> summary,
        Optional<Path> gantt,
        int ganttJobs,
        Optional<Path> swf) {

    static final String USAGE = """
            usage: simulate --trace FILE [OPTIONS]
                   simulate --generate lublin|uniform --cores N [OPTIONS]
              --trace            a log in the Standard Workload Format, packed with gzip or not
              --cores            cores of the cluster; without it, MaxProcs of the log's header
            """ + PolicyOptions.USAGE + WorkloadOptions.USAGE + """
            what to write:
              --jobs             one line per job (CSV, seconds)
              --segments         one line per run of a job (CSV, seconds)
              --summary          the figures of the run (JSON); they are printed in any case
              --gantt            a picture of the schedule (SVG)
              --gantt-jobs       how many jobs it shows, from the first submitted (2000)
              --swf              the workload as a log
            and:
              --seed             a whole number (1); the same seed gives the same bytes
              --fault-every      mean seconds between two faults of a node: its runs lose their work and wait again (no faults)
              --node-cores       cores of a node (1)
              --repair           seconds until a node that failed is back (3600)
              --compat           pyss: the order of events of that simulator, so that schedules compare job by job
            """;

    private static final Set<String> KNOWN = Set.of(
            "--trace",
            "--cores",
            "--jobs",
            "--segments",
            "--summary",
            "--gantt",
            "--gantt-jobs",
            "--swf",
            "--seed",
            "--fault-every",
            "--node-cores",
            "--repair",
            "--compat");

    /** @throws IllegalArgumentException naming the option and the remedy */
    static Options parse(final String... args) {
        final Set<String> known = new HashSet<>(KNOWN);
        known.addAll(PolicyOptions.KNOWN);
        known.addAll(WorkloadOptions.KNOWN);
        final Arguments given = new Arguments(known, args);
        if (!given.has("--trace") && !given.has("--generate")) {
            throw new IllegalArgumentException("--trace is missing (or --generate)");
        }
        if (given.has("--trace") && given.has("--generate")) {
            throw new IllegalArgumentException("--trace and --generate exclude each other");
        }
        if (given.has("--compat") && PolicyOptions.policy(given).preemption() != null) {
            throw new IllegalArgumentException(
                    "--compat pyss and --policy checkpoint exclude each other: pyss cuts nothing");
        }
        final Optional<Integer> cores = given.count("--cores");
        return new Options(
                given.path("--trace"),
                given.has("--generate") ? Optional.of(workload(given, cores)) : Optional.empty(),
                cores,
                PolicyOptions.policy(given),
                given.read("--compat", Options::order).orElse(EventOrder.PASS_PER_INSTANT),
                given.number("--checkpointable", 0, 1).orElse(1.0),
                given.whole("--seed", 0).orElse(1L),
                faults(given),
                given.path("--jobs"),
                given.path("--segments"),
                given.path("--summary"),
                given.path("--gantt"),
                given.count("--gantt-jobs").orElse(2000),
                given.path("--swf"));
    }

    private static Optional<NodeFaults> faults(final Arguments given) {
        if (!given.has("--fault-every") && (given.has("--node-cores") || given.has("--repair"))) {
            throw new IllegalArgumentException("--node-cores and --repair go with --fault-every alone");
        }
        if (given.has("--fault-every") && given.has("--compat")) {
            throw new IllegalArgumentException(
                    "--compat pyss and --fault-every exclude each other: pyss knows no faults");
        }
        return given.count("--fault-every")
                .map(every -> new NodeFaults(
                        given.count("--node-cores").orElse(1),
                        every,
                        given.whole("--repair", 1).orElse(3600L)));
    }

    private static Workload workload(final Arguments given, final Optional<Integer> cores) {
        return WorkloadOptions.workload(
                given,
                cores.orElseThrow(() -> new IllegalArgumentException("--generate needs --cores, of the cluster")));
    }

    private static EventOrder order(final String text) {
        if (text.equals("pyss")) {
            return EventOrder.PYSS;
        }
        throw new IllegalArgumentException("--compat must be pyss, got '" + text + "'");
    }
}
