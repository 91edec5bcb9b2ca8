package io.millrace.simulator.experiment;

import io.millrace.simulator.SimulatedJob;
import java.util.Locale;

/** Generates {@code docs/experiments/processor-hours.md}. */
final class ProcessorHoursPage {

    private final TwoUserTrial.Run free;
    private final TwoUserTrial.Run limited;

    ProcessorHoursPage(final TwoUserTrial.Run free, final TwoUserTrial.Run limited) {
        this.free = free;
        this.limited = limited;
    }

    String text() {
        final StringBuilder page = new StringBuilder(
                """
                # The processor-hour limit: one user floods, another comes later

                Made by `./millrace experiment processor-hours docs/experiments`.

                The trial that was published with the limit (Leonenkov, the Lomonosov extension of Slurm), on a virtual cluster of %d nodes, each counted as
                one processor. User `root` hands in four jobs within ten minutes, which together fill the cluster for twelve hours; user `stud` follows half an hour
                later. Job numbers are those of the paper's first run; what the jobs ask for is not published, so sizes and hours are ours. The limit is %d
                processor-hours for everybody (`limits = { default = ({ limit = %d; }); };`). Who is held is decided by quota-service's own planner (rules Q-15 to
                Q-17 of the [guide](../guide/quota.md)); jobs start first fit in order of submission.

                | job | user | nodes | hours | handed in | starts without the limit | starts with it | waits without | waits with it |
                | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                """.formatted(TwoUserTrial.NODES, TwoUserTrial.LIMIT.toHours(), TwoUserTrial.LIMIT.toHours()));
        for (int i = 0; i < free.jobs().size(); i++) {
            final SimulatedJob before = free.jobs().get(i);
            final SimulatedJob after = limited.jobs().get(i);
            page.append("| %d | %s | %d | %d | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            before.id(),
                            before.user() == TwoUserTrial.ROOT ? "root" : "stud",
                            before.cores(),
                            before.run_s() / 3600,
                            clock(before.submit_s()),
                            clock(before.start_s()),
                            clock(after.start_s()),
                            clock(before.start_s() - before.submit_s()),
                            clock(after.start_s() - after.submit_s())));
        }
        page.append("""

                As published: without the limit nobody else has even a part of the nodes until the flood is over; with it, three of `root`'s jobs run and the fourth
                is held, and `stud`'s jobs start when they come, or as soon as nodes are free. The price is paid by `root`'s fourth job, and, while nobody
                else comes, in idle nodes: a limit of this kind does not lend.

                What the held jobs are told:

                """);
        limited.whyHeld().forEach((job, why) -> page.append("- job %d: %s\n".formatted(job, why)));
        page.append("""

                Without the limit:

                ![without the limit](processor-hours-free.svg)

                With it:

                ![with the limit](processor-hours-limited.svg)
                """);
        return page.toString();
    }

    private static String clock(final long seconds) {
        return String.format(Locale.ROOT, "%d:%02d", seconds / 3600, seconds % 3600 / 60);
    }
}
