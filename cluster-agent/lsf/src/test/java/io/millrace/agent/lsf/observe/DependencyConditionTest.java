package io.millrace.agent.lsf.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.lsf.query.JobHeading;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LongFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DependencyConditionTest {

    private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");
    private static final List<ListedJob> JOBS = List.of(
            job("1", "A", "anna", "RUN", ""),
            job("2", "B", "anna", "DONE", ""),
            job("3", "B2", "anna", "EXIT", ""),
            job("4", "wait er", "anna", "PEND", ""),
            job("5[1]", "arr[1]", "anna", "DONE", ""),
            job("5[2]", "arr[2]", "anna", "RUN", ""),
            job("6", "A", "ben", "DONE", ""));

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '\u0000',
            value = {
                "done(1) # false",
                "done( 2 ) # true",
                "2 # true",
                "\"B\" # true",
                "ended(\"B*\") # true",
                "done(B*) # unknown", // one of the two failed; JOB_DEP_LAST_SUB decides
                "done(A) # false", // only jobs of the owner
                "exit(3) # true",
                "exit(2) # false",
                "exit(3, >2) # unknown", // the exit code is not listed
                "exit(1,3)||!started(4) # true",
                "started(1) && !started(\"wait er\") # true",
                "done(2) && ( done(1) || ended(3)) # true",
                "done(2) && done(1) && done(99) # false",
                "done(2) && done(99) # unknown",
                "done(2) || done(99) # true",
                "done(5) # false",
                "done(5[1]) # true",
                "post_done(1) # false",
                "post_done(2) # unknown",
                "external(2, \"ok\") # unknown",
                "numdone(5, >= 1) # unknown",
                "done(2 # unknown",
                "done(2) done(2) # unknown",
                "done(\"B) # unknown"
            })
    void a_condition_is_evaluated_as_far_as_the_list_shows(final String condition, final String met) {
        assertThat(DependencyCondition.isMet(job("9", "me", "anna", "PEND", condition), JOBS))
                .isEqualTo(met.equals("unknown") ? Optional.empty() : Optional.of(Boolean.valueOf(met)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "!", "done(1)&&", "\"", "a"})
    void a_condition_of_any_length_is_evaluated(final String part) {
        for (final int length : List.of(60, 4_000, 1_000_000)) {
            assertThat(DependencyCondition.isMet(job("9", "me", "anna", "PEND", part.repeat(length)), JOBS))
                    .isEmpty();
        }
    }

    @Test
    void a_task_depends_on_the_task_with_the_same_index() {
        assertThat(DependencyCondition.isMet(job("9[1]", "me[1]", "anna", "PEND", "done(5[*])"), JOBS))
                .contains(true);
        assertThat(DependencyCondition.isMet(job("9[2]", "me[2]", "anna", "PEND", "done(5[*])"), JOBS))
                .contains(false);
    }

    private static ListedJob job(
            final String id, final String name, final String user, final String status, final String condition) {
        final String text =
                "Job <" + id + ">, Job Name <" + name + ">, User <" + user + ">, Project <default>, Status <"
                        + status
                        + ">, Queue <normal>, Command <true>\n"
                        + "Sun Nov 22 06:58:04: Submitted from host <vm>, CWD <$HOME>"
                        + (condition.isEmpty() ? "" : ", Dependency Condition <" + condition + ">") + ";\n";
        final LongFormat.Job read =
                LongFormat.read(text.getBytes(StandardCharsets.UTF_8)).getFirst();
        return ListedJob.of(read, JobHeading.read(read.heading()).orElseThrow(), NOW, false)
                .orElseThrow();
    }
}
