package io.millrace.agent.slurm.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.slurm.format.NodeList;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.slurm.format.Tres;
import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.GpuCount;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.model.AttemptId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The command lines that the adapter runs. */
class CommandLineTest {

    private static final AttemptId ATTEMPT = AttemptId.of("01HZZZZZZZ0000000000000001.2");

    @Test
    void a_submission_is_held_and_tagged_and_excludes_the_agents_environment() {
        final Sbatch sbatch = sbatch("two words; $(id)", "#!/bin/sh\ntrue\n", new Resources(6, 2, 4000, 1), Map.of());

        assertThat(sbatch.argv())
                .startsWith("sbatch", "--parsable", "--hold")
                .contains(
                        "--comment=" + ATTEMPT,
                        "--job-name=two words; $(id)",
                        "--chdir=/data/a b",
                        "--export=NONE",
                        "--time=91",
                        "--ntasks=6",
                        "--nodes=2",
                        "--mem=2000M",
                        "--gpus=1",
                        "--partition=main",
                        "--account=astro");
        assertThat(sbatch.environment()).containsOnlyKeys("SLURM_CONF");
    }

    @Test
    void the_users_script_runs_in_its_own_interpreter_and_slurm_does_not_read_its_directives() throws Exception {
        final String script = "#!/usr/bin/env -S python3\n#SBATCH --mail-user=root\n#SBATCH --array=1-9%2\n"
                + "import os\nprint('hällo', os.environ['A'])\n";
        final Sbatch sbatch = sbatch("x", script, Resources.cores(1), Map.of("A", "it's \"$HOME\" `id`\n\\"));
        final String wrapped = new String(sbatch.input(), StandardCharsets.UTF_8);

        assertThat(wrapped.lines().takeWhile(line -> line.startsWith("#"))).containsExactly("#!/bin/bash");
        assertThat(sbatch.argv())
                .contains("--array=1-9%2", "--mail-user=root", "--output=millrace-01HZZZZZZZ0000000000000001_%a.out");
        assertThat(bash(wrapped.replace("'/data/a b'", "/"))).isEqualTo("hällo it's \"$HOME\" `id`\n\\\n");
    }

    @Test
    void options_of_the_submission_outrank_the_directives_of_a_script_of_another_workload_manager() {
        final Map<String, String> options = Map.of("MILLRACE_OPTIONS", "'--qos=high' '-C' 'a&b' '--switches=1'");
        assertThat(sbatch("x", "#!/bin/sh\n#PBS -l feature=c\ntrue\n", Resources.cores(1), options)
                        .argv())
                .contains("--qos=high", "--constraint=a&b", "--switches=1")
                .doesNotContain("--constraint=c");
    }

    @Test
    void a_truncated_script_runs_nothing() throws Exception {
        final String whole = new String(
                        sbatch("x", "#!/bin/bash\necho one\necho two\n", Resources.cores(1), Map.of("A", "'x'"))
                                .input(),
                        StandardCharsets.UTF_8)
                .replace("'/data/a b'", "/");
        assertThat(bash(whole)).isEqualTo("one\ntwo\n");

        for (int length = 1; length < whole.length() - 1; length += 1 + length % 3) {
            assertThat(bash(whole.substring(0, length))).isEmpty();
        }
    }

    @Test
    void the_files_of_the_streams_are_those_that_the_user_named() {
        final Map<String, String> files =
                Map.of("MILLRACE_OUTPUT", "logs/%j.out", "MILLRACE_ERROR", "/dev/null", "MILLRACE_INPUT", "100%%.in");
        assertThat(sbatch("x", "#!/bin/sh\ntrue\n", Resources.cores(1), files).argv())
                .contains("--output=logs/01HZZZZZZZ0000000000000001.out", "--error=/dev/null", "--input=100%%.in");
    }

    @Test
    void slurm_expands_patterns_in_the_output_file_but_not_in_its_directory() {
        final Sbatch percent = sbatch("/data/100%j", "x", "true", Resources.cores(1), Map.of());
        assertThat(percent.argv())
                .contains("--chdir=/data/100%j", "--output=/data/100%%j/millrace-01HZZZZZZZ0000000000000001.out");
        assertThat(percent.refusal()).isEmpty();
        assertThat(sbatch("/data/a\\b", "x", "true", Resources.cores(1), Map.of())
                        .refusal())
                .hasValueSatisfying(reason -> assertThat(reason).contains("backslash"));
    }

    @Test
    void invalid_arguments_are_refused_before_any_command_runs() {
        assertThat(sbatch("a\0b", "true", Resources.cores(1), Map.of()).refusal())
                .hasValueSatisfying(reason -> assertThat(reason).contains("NUL"));
        assertThat(sbatch("x", "true", Resources.cores(1), Map.of("A;id", "1")).refusal())
                .hasValueSatisfying(reason -> assertThat(reason).contains("'A;id'"));
        assertThat(sbatch("x", "true", Resources.cores(1), Map.of("A", "1")).refusal())
                .isEmpty();
    }

    @Test
    void a_sentence_replaces_the_previous_sentence_and_keeps_marks_and_the_sites_text() {
        final String before = "budget 7 millrace:entry@1700000000";
        final String first = AdminCommentMark.explained(before, new UserSentence("Millrace held this job: [1] one's"));
        final String second = AdminCommentMark.explained(first, new UserSentence("Millrace requeued this job: two"));

        assertThat(first).isEqualTo("budget 7 millrace:entry@1700000000 [Millrace held this job: (1) ones]");
        assertThat(second).isEqualTo("budget 7 millrace:entry@1700000000 [Millrace requeued this job: two]");
        assertThat(AdminCommentMark.start(2, Instant.ofEpochSecond(1_700_000_000))
                        .replaceIn(second))
                .isEqualTo("budget 7 [Millrace requeued this job: two] millrace:start=2@1700000000");
        assertThat(AdminCommentMark.in(AdminCommentMark.explained("", new UserSentence("a millrace:start=0@1 b"))))
                .as("no mark can be written by a sentence")
                .isEmpty();
    }

    @Test
    void a_mark_replaces_the_previous_mark_and_keeps_the_sites_text() {
        final Instant submitted = Instant.ofEpochSecond(1_700_000_000);
        final String before = "budget 7 millrace:entry@1700000000 reviewed";

        assertThat(AdminCommentMark.start(2, submitted).replaceIn(before))
                .isEqualTo("budget 7 reviewed millrace:start=2@1700000000");
        assertThat(AdminCommentMark.in(before)).contains(new AdminCommentMark("entry", submitted));
        assertThat(AdminCommentMark.in("xmillrace:entry@1700000000")).isEmpty();
        assertThat(AdminCommentMark.in("")).isEmpty();
    }

    @Test
    void node_lists_are_expanded() {
        assertThat(NodeList.read("n[1-3,07],login,rack[1-2]n[09-10]").stream().map(Object::toString))
                .containsExactly("n1", "n2", "n3", "n07", "login", "rack1n09", "rack1n10", "rack2n09", "rack2n10");
        assertThat(NodeList.read("")).isEmpty();
    }

    @Test
    void time_limits_tres_and_gpu_requests_are_read() {
        assertThat(TimeLimits.read("2-03:04:05"))
                .isEqualTo(Duration.ofDays(2).plusHours(3).plusMinutes(4).plusSeconds(5));
        assertThat(TimeLimits.read("30:00")).isEqualTo(Duration.ofMinutes(30));
        assertThat(TimeLimits.read("UNLIMITED")).isNull();
        assertThat(TimeLimits.write(Duration.ofSeconds(61))).isEqualTo("2");
        assertThat(Tres.read("cpu=8,mem=1.50G,node=2,gres/gpu=3").memory_mib()).isEqualTo(1536);
        assertThat(Tres.read("cpu=8,mem=1.50G,node=2,gres/gpu=3").generic("gpu"))
                .isEqualTo(3);
        assertThat(GpuCount.requested("gpu:a100:4(S:0-1),nic:2,gpu:2")).isEqualTo(6);
        assertThat(GpuCount.requested("(null)")).isZero();
    }

    private static Sbatch sbatch(
            final String name, final String script, final Resources resources, final Map<String, String> environment) {
        return sbatch("/data/a b", name, script, resources, environment);
    }

    private static Sbatch sbatch(
            final String directory,
            final String name,
            final String script,
            final Resources resources,
            final Map<String, String> environment) {
        final JobSpec spec = new JobSpec(
                name,
                script,
                null,
                resources,
                Duration.ofMinutes(90).plusSeconds(1),
                PartitionName.of("main"),
                ProjectName.of("astro"),
                environment,
                new CheckpointMethod.None(),
                false);
        return Sbatch.of(Transcripts.SITE, new Submission(ATTEMPT, UserName.of("anna"), spec, directory), "n0");
    }

    private static String bash(final String script) throws IOException {
        return new String(run(script).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Process run(final String script) throws IOException {
        final ProcessBuilder builder = new ProcessBuilder("bash", "-c", script);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
}
