package io.millrace.lab.planners.experiment.migration;

import io.millrace.simulator.SimulatedJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The part of {@code docs/experiments/migration.md} about real logs. */
final class JoinedLogsPage {

    private static final int SHOWN_USERS = 5;
    /** Seconds; shorter jobs count with this run time in the bounded slowdown. */
    private static final double BOUND_S = 10;

    private record User(String name, int jobs, double before_s, double after_s) {
        double worse_s() {
            return after_s - before_s;
        }
    }

    private final List<JoinedLogs.Home> homes;
    private final Map<String, List<List<SimulatedJob>>> schedules;
    private final String alone;
    private final StringBuilder page = new StringBuilder();

    /** @param schedules the jobs by policy and home cluster; the first policy is that of the clusters alone */
    JoinedLogsPage(final List<JoinedLogs.Home> homes, final Map<String, List<List<SimulatedJob>>> schedules) {
        this.homes = homes;
        this.schedules = schedules;
        this.alone = schedules.keySet().iterator().next();
    }

    String text() {
        page.append("""
            ## Real logs as home clusters

            Three logs of the Parallel Workloads Archive are the home clusters of their jobs, each under EASY backfill by backfill-service's planner. Joined,
            migration-service's own `PlacementPass` and `Rescheduling` assign each job when it is submitted and move it while it waits. The logs begin at the
            same time and end with the shortest one. All clusters are equally fast, commands and transfers take no time, and every user has an account
            everywhere. A job that finds no idle cores enters the queue of its own cluster after `queue-after`, and then moves if another cluster can
            start it now and its end is at least 10 minutes and half of its wait earlier. *Home jobs first* is the performance order with
            `millrace.migration.home-jobs-first=true`: a job from another cluster starts only if it delays no job that waits in the queue there.

            ![mean wait](migration-logs.svg)

            """);
        reference();
        table("Mean wait, minutes", jobs -> mean(jobs, job -> job.wait_s() / 60.0));
        table("Mean bounded slowdown", jobs -> mean(jobs, JoinedLogsPage::slowdown));
        table("Users who wait longer on average than with their cluster alone, %", null);
        worst();
        return page.toString();
    }

    private void reference() {
        page.append("| home cluster | cores | jobs | alone, whole log, compared with the reference schedule |\n");
        page.append("| --- | ---: | ---: | --- |\n");
        for (final JoinedLogs.Home home : homes) {
            page.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %s |\n",
                    home.name(),
                    home.cores(),
                    home.jobs().size(),
                    home.differences().isEmpty()
                            ? "there is none"
                            : home.differences().getAsInt() + " starts differ"));
        }
        page.append('\n');
    }

    /** @param figure null: the share of users who wait longer */
    private void table(final String title, final @Nullable ToDoubleFunction<List<SimulatedJob>> figure) {
        page.append("### ").append(title).append("\n\n| home cluster | ");
        final List<String> columns =
                figure == null ? schedules.keySet().stream().skip(1).toList() : List.copyOf(schedules.keySet());
        page.append(String.join(" | ", columns)).append(" |\n| --- |").append(" ---: |".repeat(columns.size()));
        page.append('\n');
        for (int h = 0; h < homes.size(); h++) {
            page.append("| ").append(homes.get(h).name()).append(" |");
            for (final String policy : columns) {
                page.append(String.format(
                        Locale.ROOT,
                        " %.1f |",
                        figure == null ? losers(policy, h) : figure.applyAsDouble(of(policy, h))));
            }
            page.append('\n');
        }
        page.append('\n');
    }

    /** With the defaults of migration-service, the first policy. */
    private void worst() {
        final String policy = schedules.keySet().stream().skip(1).findFirst().orElseThrow();
        page.append("### Who is worse off: ").append(policy).append("\n\n");
        page.append(
                "The users of each home cluster whose mean wait grew most. Most users gain, but jobs of other clusters"
                        + " also\n");
        page.append("occupy a cluster when its own users submit.\n\n");
        page.append("| home cluster | user | jobs | alone, minutes | joined, minutes |\n"
                + "| --- | --- | ---: | ---: | ---: |\n");
        for (int h = 0; h < homes.size(); h++) {
            final String home = homes.get(h).name();
            users(policy, h).stream()
                    .filter(user -> user.worse_s() > 0)
                    .sorted(Comparator.comparingDouble(User::worse_s).reversed())
                    .limit(SHOWN_USERS)
                    .forEach(user -> page.append(String.format(
                            Locale.ROOT,
                            "| %s | %s | %d | %.1f | %.1f |\n",
                            home,
                            user.name,
                            user.jobs,
                            user.before_s / 60,
                            user.after_s / 60)));
        }
    }

    private double losers(final String policy, final int home) {
        final List<User> all = users(policy, home);
        return 100.0 * all.stream().filter(user -> user.worse_s() > 0).count() / all.size();
    }

    private List<User> users(final String policy, final int home) {
        final Map<Long, double[]> sums = new TreeMap<>();
        for (final SimulatedJob job : of(alone, home)) {
            final double[] sum = sums.computeIfAbsent(job.user(), u -> new double[3]);
            sum[0]++;
            sum[1] += job.wait_s();
        }
        of(policy, home).forEach(job -> sums.computeIfAbsent(job.user(), u -> new double[3])[2] += job.wait_s());
        final List<User> users = new ArrayList<>();
        sums.forEach(
                (user, sum) -> users.add(new User("user " + user, (int) sum[0], sum[1] / sum[0], sum[2] / sum[0])));
        return users;
    }

    String chart() {
        return WaitChart.of(
                homes.stream().map(JoinedLogs.Home::name).toList(),
                List.copyOf(schedules.keySet()),
                (policy, home) -> mean(of(policy, home), job -> job.wait_s() / 60.0));
    }

    private List<SimulatedJob> of(final String policy, final int home) {
        return schedules.getOrDefault(policy, List.of()).get(home);
    }

    private static double mean(final List<SimulatedJob> jobs, final ToDoubleFunction<SimulatedJob> figure) {
        return jobs.stream().mapToDouble(figure).average().orElse(0);
    }

    private static double slowdown(final SimulatedJob job) {
        return Math.max(1, (job.wait_s() + job.run_s()) / Math.max(BOUND_S, job.run_s()));
    }
}
