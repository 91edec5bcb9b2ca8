package io.millrace.simulator.experiment;

import io.millrace.simulator.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Generates {@code docs/experiments/checkpoint.md}: the question, whether the goal is met, and a table for each log. */
final class CheckpointPage {

    private static final double GOAL = -30;
    private static final double SHARE = 5;

    private final Map<String, Map<String, Summary>> results;
    private final StringBuilder page = new StringBuilder();

    CheckpointPage(final Map<String, Map<String, Summary>> results) {
        this.results = results;
    }

    String text() {
        line("# Checkpoint backfill: what it gives, and where it loses");
        line("");
        line("Made by `./millrace experiment checkpoint FOLDER docs/experiments " + String.join(" ", results.keySet())
                + "`; the same logs give the same page.");
        line(
                "Wait is all time between submission and end in which a job did not get ahead: queueing, also between two runs, checkpoints, restarts. Changes are");
        line(
                "against EASY on the same log. *Late* is how much a job started after the earliest time that it was promised as head of the queue; *lost* are the");
        line(
                "core-hours of checkpoints and restarts. A cost of 60 means 60 s for a checkpoint and 60 s for a restart. What the knobs mean: [guide](../guide/backfill.md).");
        line("");
        line("![change of the mean wait](checkpoint-wait.svg)");
        line("![change of the mean bounded slowdown](checkpoint-slowdown.svg)");
        line("");
        goal();
        losses();
        results.forEach(this::table);
        line(
                "Logs: Parallel Workloads Archive. KTH-SP2: Lars Malinowsky; HPC2N: Ake Sandgren; CTC-SP2: Dan Dwyer and Steve Hotovy; SDSC-SP2: Victor Hazlewood;");
        line("SDSC-BLUE: Travis Earheart and Nancy Wilkins-Diehr; lublin256: made with Uri Lublin's model.");
        return page.toString();
    }

    private void goal() {
        line(
                "## The goal: 30 % less wait and slowdown than EASY, 5 % of jobs checkpointed at most, no head late by more than a checkpoint");
        line("");
        line("| log | cost | wait | slowdown | checkpointed | latest head | reached |");
        line("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
        results.forEach((trace, byPolicy) -> {
            final Summary easy = of(byPolicy, ComparedPolicies.EASY);
            for (final int cost : ComparedPolicies.COSTS_S) {
                final Summary all = of(byPolicy, ComparedPolicies.BETTER + cost);
                final double wait = change(all.meanWait_s(), easy.meanWait_s());
                final double slowdown = change(all.meanBoundedSlowdown(), easy.meanBoundedSlowdown());
                final double share = share(all);
                final boolean figures = wait <= GOAL && slowdown <= GOAL && share <= SHARE;
                final boolean late = all.maxLate_s() > cost;
                final String reached = figures ? late ? "but for heads later than " + cost + " s" : "yes" : "no";
                line(String.format(
                        Locale.ROOT,
                        "| %s | %d s | %+.1f %% | %+.1f %% | %.1f %% | %d s | %s |",
                        trace,
                        cost,
                        wait,
                        slowdown,
                        share,
                        all.maxLate_s(),
                        reached));
            }
        });
        line("");
    }

    private void losses() {
        line("## Where it loses");
        line("");
        results.forEach((trace, byPolicy) -> {
            final Summary easy = of(byPolicy, ComparedPolicies.EASY);
            final List<String> worse = new ArrayList<>();
            byPolicy.forEach((policy, figures) -> {
                if (figures.meanWait_s() > easy.meanWait_s()
                        || figures.meanBoundedSlowdown() > easy.meanBoundedSlowdown()) {
                    worse.add(policy);
                }
            });
            final Summary all = of(byPolicy, ComparedPolicies.BETTER + 60);
            final Summary none = of(byPolicy, ComparedPolicies.WITHOUT);
            line(String.format(
                    Locale.ROOT,
                    "- **%s**: with all knobs at cost 60 the longest wait is %+.0f %% against EASY, and %.0f core-hours are lost (%.2f %% of the work);"
                            + " checkpoints themselves bring %.1f %% of the wait and %.1f %% of the slowdown, the rest is order. Worse than EASY in wait or slowdown: %s.",
                    trace,
                    change(all.maxWait_s(), easy.maxWait_s()),
                    all.lostCoreSeconds() / 3600.0,
                    100.0 * all.lostCoreSeconds() / (all.utilisation() * all.cores() * all.makespan_s()),
                    change(all.meanWait_s(), none.meanWait_s()),
                    change(all.meanBoundedSlowdown(), none.meanBoundedSlowdown()),
                    worse.isEmpty() ? "none" : String.join("; ", worse)));
        });
        line("");
    }

    private void table(final String trace, final Map<String, Summary> byPolicy) {
        final Summary easy = of(byPolicy, ComparedPolicies.EASY);
        line("## " + trace);
        line("");
        line(easy.jobs() + " jobs on " + easy.cores() + " processors.");
        line("");
        line(
                "| policy | mean wait s | | slowdown | | p95 wait s | longest wait s | utilisation | checkpointed | lost core-h | mean late s | latest s |");
        line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        byPolicy.forEach((policy, figures) -> line(String.format(
                Locale.ROOT,
                "| %s | %.0f | %+.1f %% | %.2f | %+.1f %% | %d | %d | %.4f | %.1f %% | %.0f | %.1f | %d |",
                policy,
                figures.meanWait_s(),
                change(figures.meanWait_s(), easy.meanWait_s()),
                figures.meanBoundedSlowdown(),
                change(figures.meanBoundedSlowdown(), easy.meanBoundedSlowdown()),
                figures.p95Wait_s(),
                figures.maxWait_s(),
                figures.utilisation(),
                share(figures),
                figures.lostCoreSeconds() / 3600.0,
                figures.meanLate_s(),
                figures.maxLate_s())));
        line("");
    }

    static double change(final double now, final double before) {
        return before == 0 ? 0 : 100 * (now / before - 1);
    }

    private static double share(final Summary figures) {
        return 100.0 * figures.checkpointed() / Math.max(1, figures.jobs());
    }

    private static Summary of(final Map<String, Summary> byPolicy, final String policy) {
        return Objects.requireNonNull(byPolicy.get(policy), policy);
    }

    private void line(final String text) {
        page.append(text).append('\n');
    }
}
