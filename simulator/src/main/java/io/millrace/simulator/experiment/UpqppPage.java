package io.millrace.simulator.experiment;

import static io.millrace.simulator.experiment.UpqppSetting.CHECKPOINT;
import static io.millrace.simulator.experiment.UpqppSetting.DEFAULT;
import static io.millrace.simulator.experiment.UpqppSetting.FREE;
import static io.millrace.simulator.experiment.UpqppSetting.HARD;
import static io.millrace.simulator.experiment.UpqppSetting.LEAST_LOSS;
import static io.millrace.simulator.experiment.UpqppSetting.PAPER;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Generates {@code docs/experiments/upqpp.md}. */
final class UpqppPage {

    private final UpqppSetting setting;
    private final UpqppResults results;
    private final StringBuilder page = new StringBuilder();

    UpqppPage(final UpqppSetting setting, final UpqppResults results) {
        this.setting = setting;
        this.results = results;
    }

    String text() {
        page.append("""
                # UPQPP against hard limits

                Made by `./millrace experiment upqpp docs/experiments %d %d` (seeds, hours); the same command gives the same page.

                The setting of the published table 1 (Zhang, "Unified job scheduling and migration across clusters"): one cluster of %d cores, %d users,
                each with a quota of %d; jobs of c cores and t hours, both drawn evenly from a range, handed in by random users at random
                hours; decisions in hourly rounds. R is the sum of the idle cores of every round / (cores x hours): the less the better. Each
                figure is the mean of %d batches of jobs with its 95 %% confidence interval; all policies see the same batches. Not published, and so our own
                choice: %d hours, the ranges of c and t, and a load (core-hours asked for / core-hours there are) of 1 where nothing else is said.
                In the *campaigns* every user hands in all jobs within a stretch of a quarter of the time, each user at another.

                | policy | |
                | --- | --- |
                | %s | nobody uses more than the quota |
                | %s | `millrace.quota.mode=paper`: the published pseudo-code; victims start again from nothing |
                | %s | `mode=default`; the same |
                | %s | `mode=default`, `victims=least-loss` |
                | %s | `mode=default`, every victim saves its state in 60 s and needs 60 s to go on |
                | %s | whoever comes first; nobody is preempted |

                Whom a reclaim takes is decided by quota-service's own planner. Jobs start first fit, guaranteed ones first; nothing is reserved for wide jobs.

                ![idle share](upqpp.svg)

                """.formatted(
                        setting.seeds(),
                        setting.hours(),
                        setting.cores(),
                        setting.users(),
                        setting.quota(),
                        setting.seeds(),
                        setting.hours(),
                        HARD,
                        PAPER,
                        DEFAULT,
                        LEAST_LOSS,
                        CHECKPOINT,
                        FREE));
        idle();
        published();
        table(
                "Preemptions a run",
                "How often a job was taken off its cores, and the core-hours that were lost by it (of "
                        + setting.cores() * setting.hours() + " there are).",
                List.of(PAPER, DEFAULT, LEAST_LOSS, CHECKPOINT),
                QuotaMetrics::preemptions,
                0);
        table("Core-hours lost", "", List.of(PAPER, DEFAULT, LEAST_LOSS, CHECKPOINT), QuotaMetrics::lost, 0);
        table(
                "Share of the cluster without lasting work, %",
                "Idle, or spent on work that was lost, checkpoints and restarts: R counts a core that works in vain as used, this does not.",
                List.of(HARD, PAPER, DEFAULT, LEAST_LOSS, CHECKPOINT, FREE),
                figures -> 100 * figures.wasted(),
                1);
        table(
                "Hours until users within quota start",
                "Of jobs with which all that their owner runs or waits for is within quota.",
                List.of(HARD, PAPER, DEFAULT, LEAST_LOSS, CHECKPOINT, FREE),
                QuotaMetrics::withinQuotaWait_h,
                2);
        table(
                "Hours without progress, all jobs",
                "From submission to end, less the work itself.",
                List.of(HARD, PAPER, DEFAULT, LEAST_LOSS, CHECKPOINT, FREE),
                QuotaMetrics::wait_h,
                1);
        return page.toString();
    }

    private void idle() {
        page.append("""
                ## Idle share R, %%

                | jobs | %s | %s | %s | less idle than under hard limits | %s |
                | --- | ---: | ---: | ---: | ---: | ---: |
                """.formatted(HARD, PAPER, DEFAULT, FREE));
        for (final String jobs : results.jobs()) {
            page.append("| %s | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            jobs,
                            percent(jobs, HARD),
                            percent(jobs, PAPER),
                            percent(jobs, DEFAULT),
                            results.less(jobs, DEFAULT, HARD, figures -> 100 * figures.idle())
                                    .text(1),
                            percent(jobs, FREE)));
        }
        page.append('\n');
    }

    private void published() {
        int less = 0;
        int rows = 0;
        for (final String jobs : results.jobs()) {
            final ConfidenceInterval difference = results.less(jobs, DEFAULT, HARD, QuotaMetrics::idle);
            less += difference.mean() - difference.half() > 0 ? 1 : 0;
            rows++;
        }
        page.append("""
                The published table says that UPQPP leaves clearly less idle than hard limits when users hand in jobs evenly. Here that holds, beyond the confidence
                interval, in %d of %d rows. Its figures are not set beside ours: the text of the paper that we have names the setting but has lost the
                table's numbers, so nobody should read this page as a reproduction of them. Two things qualify R. What UPQPP gains is what sharing gains: without any quota R
                is as low; the quotas then buy the short waits of those who stay within them. And R counts work that a preemption throws
                away as use; the share without lasting work, below, does not.

                """.formatted(less, rows));
    }

    private String percent(final String jobs, final String policy) {
        return results.mean(jobs, policy, figures -> 100 * figures.idle()).text(1);
    }

    private void table(
            final String title,
            final String words,
            final List<String> policies,
            final ToDoubleFunction<QuotaMetrics> figure,
            final int digits) {
        page.append("## ").append(title).append("\n\n");
        if (!words.isEmpty()) {
            page.append(words).append("\n\n");
        }
        page.append("| jobs | ").append(String.join(" | ", policies)).append(" |\n| --- |");
        page.append(" ---: |".repeat(policies.size())).append('\n');
        for (final String jobs : results.jobs()) {
            page.append("| ").append(jobs).append(" |");
            policies.forEach(policy -> page.append(' ')
                    .append(results.mean(jobs, policy, figure).text(digits))
                    .append(" |"));
            page.append('\n');
        }
        page.append('\n');
    }
}
