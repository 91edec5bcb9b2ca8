package io.millrace.agent.slurm.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks that squeue merges into the row of their array although they differ from it. */
class JobListingTest {

    private static QueuedJob row(
            final String jobArrayId, final String state, final String reason, final long priority) {
        final List<String> cells = new ArrayList<>();
        for (final String field : QueuedJob.FIELDS) {
            cells.add(
                    switch (field) {
                        case "jobarrayid" -> jobArrayId;
                        case "arrayjobid" -> jobArrayId.replaceFirst("_.*", "");
                        case "state" -> state;
                        case "reason" -> reason;
                        case "prioritylong" -> Long.toString(priority);
                        case "submittime" -> "1795295617";
                        case "numcpus", "numnodes" -> "1";
                        case "restartcnt" -> "0";
                        default -> "";
                    });
        }
        return new QueuedJob(cells);
    }

    private static QueuedJob pending(final String jobArrayId, final String reason, final long priority) {
        return row(jobArrayId, "PENDING", reason, priority);
    }

    private static List<String> ids(final List<QueuedJob> rows) {
        return rows.stream().map(each -> each.cell("jobarrayid")).toList();
    }

    @Test
    void a_held_task_is_separated_from_its_array_with_its_reason() {
        final QueuedJob task = pending("12_7", "JobHeldUser", 0);
        final List<QueuedJob> rows = JobListing.separate(
                List.of(pending("12_[3-9%2]", "Resources,JobHeldUser", 100), pending("13", "Priority", 90)),
                List.of(task),
                false);

        assertThat(ids(rows)).containsExactly("12_[3-6,8-9%2]", "13", "12_7");
        assertThat(rows.getFirst().cell("reason")).isEqualTo("Resources");
        assertThat(rows.getFirst().isHeld()).isFalse();
        assertThat(rows.getLast()).isSameAs(task);
    }

    @Test
    void an_array_of_another_id_and_its_running_tasks_stay_as_they_are() {
        final List<QueuedJob> rows = List.of(
                pending("12_[3-9]", "Resources", 100),
                row("12_1", "RUNNING", "None", 100),
                pending("112_[3-9]", "ReqNodeNotAvail,_UnavailableNodes:n1", 100));

        assertThat(ids(JobListing.separate(rows, List.of(pending("12_4", "Resources", 7)), false)))
                .containsExactly("12_[3,5-9]", "12_1", "112_[3-9]", "12_4");
    }

    @Test
    void a_row_without_further_tasks_goes() {
        assertThat(ids(JobListing.separate(
                        List.of(pending("12_[3]", "None", 100)), List.of(pending("12_3", "None", 7)), false)))
                .containsExactly("12_3");
    }

    @Test
    void a_task_that_started_or_ended_meanwhile_leaves_the_row_of_its_array() {
        final List<QueuedJob> rows = List.of(pending("12_[3-9]", "Resources", 100));
        final List<QueuedJob> meanwhile =
                List.of(row("12_4", "RUNNING", "None", 100), row("12_5", "COMPLETED", "None", 100));

        assertThat(ids(JobListing.separate(rows, meanwhile, false))).containsExactly("12_[3,6-9]", "12_4");
        assertThat(ids(JobListing.separate(rows, meanwhile, true))).containsExactly("12_[3,6-9]", "12_4", "12_5");
    }

    @Test
    void many_tasks_that_their_owner_held_one_by_one_are_read_in_parts_and_in_linear_time() {
        final int tasks = 20_000;
        final AtomicInteger queries = new AtomicInteger();
        final Runner squeue = new Runner() {
            @Override
            public <T> Answer<T> run(final CommandLine<T> command) {
                queries.incrementAndGet();
                assertThat(command.argv()).allMatch(argument -> argument.length() < 131_072);
                return command.read(CommandResult.of(0, answer(command.argv()), ""));
            }

            @Override
            public Runner as(final UserName owner) {
                return this;
            }

            private String answer(final List<String> argv) {
                if (argv.contains("--array")) {
                    return IntStream.range(0, tasks)
                            .mapToObj(i -> cells(List.of(Integer.toString(1_000_000 + i), "12", "12_" + i)))
                            .collect(Collectors.joining());
                }
                return argv.stream()
                        .filter(argument -> argument.startsWith("--jobs="))
                        .findFirst()
                        .map(ids -> Arrays.stream(
                                        ids.substring("--jobs=".length()).split(","))
                                .map(id -> "12_" + (Integer.parseInt(id) - 1_000_000))
                                .map(id -> cells(pending(id, "JobHeldUser", 0).cells()))
                                .collect(Collectors.joining()))
                        .orElseGet(() -> cells(pending("12_[0-" + tasks + "]", "Resources,JobHeldUser", 9)
                                .cells()));
            }
        };

        final List<QueuedJob> rows = new JobListing(Transcripts.SITE, squeue, () -> Transcripts.NONCE)
                .queue()
                .get();

        assertThat(rows).hasSize(tasks + 1);
        assertThat(rows.getFirst().cell("jobarrayid")).isEqualTo("12_[" + tasks + "]");
        assertThat(queries).hasValue(12);
    }

    private static String cells(final List<String> row) {
        return row.stream().map(cell -> cell + "#" + Transcripts.NONCE + "#").collect(Collectors.joining()) + "\n";
    }
}
