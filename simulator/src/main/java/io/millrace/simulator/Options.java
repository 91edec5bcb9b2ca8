package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param cores empty: as many as the trace's header says
 */
record Options(
        Path trace,
        Optional<Integer> cores,
        BackfillPolicy policy,
        EventOrder order,
        Optional<Path> jobs,
        Optional<Path> summary) {

    static final String USAGE = """
            usage: simulate --trace FILE [--cores N] [--policy fcfs|easy] [--jobs FILE] [--summary FILE] [--compat pyss]
              --trace    a log in the Standard Workload Format, packed with gzip or not
              --cores    cores of the cluster; without it, MaxProcs of the log's header
              --policy   easy (default): EASY backfill; fcfs: strict first come, first served
              --jobs     write one line per job (CSV, seconds)
              --summary  write the figures of the run (JSON); they are printed in any case
              --compat   pyss: the order of events of that simulator, so that schedules compare job by job
            """;

    private static final Set<String> KNOWN =
            Set.of("--trace", "--cores", "--policy", "--jobs", "--summary", "--compat");

    /** @throws IllegalArgumentException naming the option and the remedy */
    static Options parse(final String... args) {
        final Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!KNOWN.contains(args[i])) {
                throw new IllegalArgumentException("unknown option '" + args[i] + "'");
            }
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " needs a value");
            }
            if (given.put(args[i], args[i + 1]) != null) {
                throw new IllegalArgumentException(args[i] + " is given twice");
            }
        }
        if (!given.containsKey("--trace")) {
            throw new IllegalArgumentException("--trace is missing");
        }
        return new Options(
                Path.of(given.get("--trace")),
                Optional.ofNullable(given.get("--cores")).map(Options::cores),
                policy(given.getOrDefault("--policy", "easy")),
                order(given.get("--compat")),
                Optional.ofNullable(given.get("--jobs")).map(Path::of),
                Optional.ofNullable(given.get("--summary")).map(Path::of));
    }

    private static int cores(final String text) {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw new IllegalArgumentException("--cores must be a whole number from 1, got '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static BackfillPolicy policy(final String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "fcfs" -> BackfillPolicy.STRICT_FCFS;
            case "easy" -> BackfillPolicy.EASY_FCFS;
            default -> throw new IllegalArgumentException("--policy must be fcfs or easy, got '" + text + "'");
        };
    }

    private static EventOrder order(final @Nullable String text) {
        if (text == null) {
            return EventOrder.PASS_PER_INSTANT;
        }
        if (text.equals("pyss")) {
            return EventOrder.PYSS;
        }
        throw new IllegalArgumentException("--compat must be pyss, got '" + text + "'");
    }
}
