package io.millrace.agent.slurm.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.slurm.format.DelimitedTable;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobObserved;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells that squeue of 20.11 to 25.05 may print, in addition to the recorded output. */
class SlurmVersionsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static Answer<List<QueuedJob>> answer(final Map<String, String> cells) {
        final Map<String, String> all = new HashMap<>(Map.of(
                "jobarrayid", "123",
                "arrayjobid", "123",
                "hetjobid", "0",
                "username", "anna",
                "userid", "1001",
                "state", "PENDING",
                "partition", "main",
                "numcpus", "1",
                "numnodes", "1",
                "restartcnt", "0"));
        all.putAll(Map.of("prioritylong", "1", "submittime", "1795262400", "timelimit", "UNLIMITED"));
        all.putAll(cells);
        final String row = QueuedJob.FIELDS.stream()
                .map(field -> all.getOrDefault(field, "N/A") + DelimitedTable.delimiter(Transcripts.NONCE))
                .collect(Collectors.joining());
        return JobQuery.queue(Transcripts.SITE, Transcripts.NONCE).read(CommandResult.of(0, row + "\n", ""));
    }

    private static JobObserved seen(final Map<String, String> cells) {
        return JobObservation.of(Transcripts.SITE.cluster(), answer(cells).get().get(0), NOW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a|b",
                "two words",
                "it's \"quoted\"",
                "one\ntwo\r\nthree",
                "größe 温度 \u202e",
                "(null)",
                "N/A",
                "#record",
                "%j $HOME `id`",
                ""
            })
    void a_job_name_is_read_unchanged(final String name) {
        assertThat(seen(Map.of("name", name)).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "anna.schmidt, anna.schmidt",
        "anna@REALM.EXAMPLE, anna@REALM.EXAMPLE",
        "CORP\\anna, CORP_anna",
        "a+b, a+b",
        ".hidden, _hidden",
        "nobody, 1001",
        "größe, größe"
    })
    void user_names_with_domains_and_dots_are_read(final String printed, final String user) {
        assertThat(seen(Map.of("username", printed)).owner()).isEqualTo(UserName.of(user));
    }

    @ParameterizedTest
    @CsvSource({
        "41-16:00:00, PT1000H",
        "416-16:00:00, PT10000H",
        "1000:00:00, PT1000H",
        "59:59, PT59M59S",
        "0:30, PT30S"
    })
    void a_time_limit_may_have_four_digits_of_hours(final String printed, final Duration limit) {
        assertThat(seen(Map.of("timelimit", printed)).walltime()).isEqualTo(limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNLIMITED", "INFINITE", "Partition_Limit", "NOT_SET", "INVALID", "N/A", "NONE"})
    void all_words_for_no_time_limit_are_read(final String printed) {
        assertThat(seen(Map.of("timelimit", printed)).walltime()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"N/A", "Unknown", "NONE", "None", "0", "4294967294", "4294967295"})
    void all_words_for_no_time_are_read(final String printed) {
        assertThat(seen(Map.of("starttime", printed, "eligibletime", printed)).eligibility())
                .isEqualTo(Eligibility.since(Instant.ofEpochSecond(1795262400)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "123_7; 7; 1; 0",
                "123_[7]; 7; 1; 0",
                "123_[0,2-4,10-90:5%3]; 0,2-4,10-90:5; 21; 3",
                "123_[1-1000%0]; 1-1000; 1000; 0"
            })
    void arrays_are_read_with_gaps_steps_and_task_limits(
            final String id, final String indices, final int tasks, final int atOnce) {
        assertThat(seen(Map.of("jobarrayid", id)).detail().array())
                .isEqualTo(new ArrayTasks("123", indices, tasks, atOnce == 0 ? null : Integer.valueOf(atOnce)));
    }

    @Test
    void numbers_may_have_units_and_the_tres_of_later_versions() {
        final JobObserved job = seen(Map.of(
                "numcpus", "2K",
                "numnodes", "16",
                "minmemory", "1.50T",
                "tres-alloc", "cpu=2K,mem=1.50T,node=16,billing=2048,gres/gpu=8,gres/gpu:a100=8"));
        assertThat(job.resources()).isEqualTo(new Resources(2048, 16, 1_572_864, 8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Welcome to alpha!\n",
                "<html>502 Bad Gateway</html>\n",
                "{\"jobs\": [], \"errors\": []}\n",
                "slurm_load_jobs error: Unexpected message received\n"
            })
    void a_banner_or_the_output_of_another_program_is_unreadable(final String foreign) {
        final String row = QueuedJob.FIELDS.stream()
                .map(field -> "1" + DelimitedTable.delimiter(Transcripts.NONCE))
                .collect(Collectors.joining());
        final JobQuery query = JobQuery.queue(Transcripts.SITE, Transcripts.NONCE);
        for (final String output : List.of(foreign, foreign + row + "\n", row + "\n" + foreign)) {
            assertThat(query.read(CommandResult.of(0, output, "")))
                    .as(output)
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.UNREADABLE));
        }
    }
}
