package io.millrace.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardStreamsTest {

    private static final String JOB = "01JQZ8Y6T0000000000000000A";

    @ParameterizedTest
    @CsvSource({
        "slurm-%j.out, slurm-4711.out",
        "%J.log, 4711.log",
        "%A_%a.out, 4711_0.out",
        "logs/%x-%u-%N.txt, logs/a_b-anna-alpha.txt",
        "100%%-%5j, 100%-4711",
        "/dev/null, /dev/null"
    })
    void patterns_become_the_number_of_the_job(final String written, final String expected) {
        final JobSpec spec = new JobSpec(
                "a/b",
                "#!/bin/sh\n",
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                Map.of(StandardStreams.OUTPUT, written, NumberVariables.NUMBER, "4711"),
                new CheckpointMethod.None(),
                false);
        final AttemptId attempt = GlobalJobId.of(JOB).attempt(2);
        assertThat(StandardStreams.of(spec, attempt, ClusterId.of("alpha"), UserName.of("anna")))
                .isEqualTo(new StandardStreams(expected, null, null));
    }

    @Test
    void a_file_in_the_directory_is_relative_to_it() {
        assertThat(StandardStreams.within("/home/anna/run/logs/./x.out", "/home/anna/run"))
                .isEqualTo("logs/x.out");
        assertThat(StandardStreams.within("logs/../x.out", "/home/anna/run")).isEqualTo("x.out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/scratch/x.out", "../x.out", "logs/", "", "$HOME/x", "~/x", "a\\b", "a\nb", "."})
    void what_is_no_file_of_the_directory_is_refused(final String written) {
        assertThatThrownBy(() -> StandardStreams.within(written, "/home/anna/run"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "SLURM, /scratch/anna/%x.out, %x.out",
        "SLURM, ../logs/%j.out, %j.out",
        "PBS, login1:/home/anna/run/job.out, job.out",
        "PBS, ':out.txt', out.txt",
        "PBS, $PBS_JOBID.log, %j.log",
        "PBS, ${PBS_JOBNAME}.o^array_index^, %x.o%a",
        "LSF, out.%J, out.%J"
    })
    void a_directive_keeps_the_name_of_its_file(final Dialect dialect, final String written, final String expected) {
        assertThat(StandardStreams.ofDirective(written, dialect, "/home/anna/run"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logs/", "$WORK", "~"})
    void a_directive_that_names_no_file_is_left_out(final String written) {
        assertThat(StandardStreams.ofDirective(written, Dialect.SLURM, "/home/anna/run"))
                .isNull();
    }
}
