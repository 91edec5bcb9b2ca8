package io.millrace.agent.lsf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.lsf.observe.HostSnapshot;
import io.millrace.agent.lsf.query.HostHardware;
import io.millrace.agent.lsf.query.JobRequest;
import io.millrace.agent.lsf.query.LsfHost;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Placement;
import io.millrace.model.job.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command lines that the adapter runs. */
class CommandLineTest {

    private static final AttemptId ATTEMPT = AttemptId.of("01HZZZZZZZ0000000000000001.2");
    private static final LsfVersion LSF = new LsfVersion("lsf", "10.1.0.12");
    private static final LsfVersion OPENLAVA = new LsfVersion("openlava", "4.0.0");
    private static final LsfSite SITE = new LsfSite(
            ClusterId.of("lava"),
            Path.of("/opt/lsf/bin"),
            Path.of("/opt/lsf/conf"),
            Path.of("/nowhere"),
            Set.of(),
            "high",
            "low",
            null,
            Path.of("/shared/checkpoints"),
            "criu");

    @TempDir
    private Path folder;

    @Test
    void a_submission_is_held_and_does_not_inherit_the_agents_environment() {
        final Bsub bsub = bsub(LSF, "two words; $(id)", "true\n", new Resources(6, 2, 4000, 2), Map.of());

        assertThat(bsub.refusal()).isEmpty();
        assertThat(bsub.argv())
                .containsExactly(
                        "/opt/lsf/bin/bsub",
                        "-H",
                        "-r",
                        "-J",
                        "two words; $(id)",
                        "-o",
                        "/dev/null",
                        "-W",
                        "91",
                        "-q",
                        "low",
                        "-P",
                        "astro",
                        "-k",
                        "/shared/checkpoints method=criu",
                        "-n",
                        "6",
                        "-gpu",
                        "num=1",
                        "-R",
                        "rusage[mem=2000] span[ptile=3]");
        assertThat(bsub.environment()).containsOnlyKeys("LSF_ENVDIR");
        assertThat(bsub.directory()).isEqualTo("/data/a b");
    }

    /** RESOURCE_RESERVE_PER_TASK = Y. */
    @Test
    void a_cluster_that_reserves_memory_for_each_slot_reserves_the_same_total() {
        final LsfFeatures perSlot = features(LSF, true);
        final LsfFeatures oldPerSlot = features(new LsfVersion("lsf", "9.1.3"), true);

        assertThat(bsub(perSlot, "one", "true\n", new Resources(6, 2, 4000, 0), Map.of())
                        .argv())
                .contains("rusage[mem=2000/host] span[ptile=3]");
        assertThat(bsub(perSlot, "one", "true\n", new Resources(4, 0, 4000, 0), Map.of())
                        .argv())
                .contains("rusage[mem=1000]");
        assertThat(bsub(oldPerSlot, "one", "true\n", new Resources(4, 1, 4000, 0), Map.of())
                        .argv())
                .contains("rusage[mem=1000] span[hosts=1]");
    }

    @Test
    void options_of_a_slurm_script_are_translated_as_far_as_this_version_supports_them() {
        final String script =
                "#!/bin/bash\n#SBATCH --dependency=afterok:alpha/12\n#SBATCH --signal=USR1@120\n#SBATCH --no-requeue\ntrue\n";

        assertThat(bsub(LSF, "one", script, Resources.cores(1), Map.of()).argv())
                .containsSequence("-w", "done(12)")
                .containsSequence("-wa", "USR1", "-wt", "2")
                .contains("-rn")
                .doesNotContain("-r");
        final Bsub openLava = bsub(OPENLAVA, "one", script, Resources.cores(1), Map.of());
        assertThat(openLava.argv()).containsSequence("-w", "done(12)").doesNotContain("-wa", "-rn");
        assertThat(openLava.refusal()).as("not a strict job").isEmpty();
    }

    @Test
    void a_job_name_cannot_contain_array_brackets_or_line_breaks() {
        assertThat(Bsub.name("run[1-1000]%5\nx")).isEqualTo("run(1-1000)%5 x");
    }

    @Test
    void a_request_that_this_version_does_not_support_is_refused_by_name() {
        assertThat(bsub(OPENLAVA, "gpu", "true\n", new Resources(1, 0, 0, 2), Map.of())
                        .refusal()
                        .orElseThrow())
                .contains("2 GPUs", "openlava 4.0.0");
        assertThat(bsub(LSF, "odd", "true\n", Resources.cores(1), Map.of("A;id", "1"))
                        .refusal()
                        .orElseThrow())
                .contains("A;id");
    }

    @Test
    void no_script_line_is_an_option_of_bsub_and_the_tag_is_first() {
        final String script = "#!/bin/bash\n#BSUB -J other\n# BSUB\n#BSUB -q urgent\necho _USER_SCRIPT_\n";
        final String text =
                new String(bsub(LSF, "n", script, Resources.cores(1), Map.of()).input(), StandardCharsets.UTF_8);

        assertThat(text.lines().filter(line -> line.contains("BSUB"))).isEmpty();
        assertThat(text).startsWith("#!/bin/bash\n# millrace " + ATTEMPT + "\n");
        assertThat(text.lines().mapToInt(String::length).max().orElseThrow()).isLessThan(512);
    }

    @Test
    void the_users_script_runs_unchanged_with_its_variables_and_its_exit_code() throws Exception {
        final String script = "#!/usr/bin/env -S bash -u\n#BSUB -J x\nprintf '%s|%s|%s' \"$A\" \"$MILLRACE_RESTART\" "
                + "'größe \\ $HOME'\ntouch here\nexit 3\n";
        final Map<String, String> variables = Map.of("A", "it's \"$HOME\" `id`\n\\");

        assertThat(run(script, variables)).isEqualTo(3);
        assertThat(run(script, variables)).isEqualTo(3);
        assertThat(Files.readString(folder.resolve("millrace-01HZZZZZZZ0000000000000001.out")))
                .isEqualTo("it's \"$HOME\" `id`\n\\|0|größe \\ $HOMEit's \"$HOME\" `id`\n\\|1|größe \\ $HOME");
        assertThat(folder.resolve("here")).exists();
    }

    @Test
    void half_a_script_runs_nothing() throws Exception {
        final String whole = wrapped("touch ran\n", Map.of());
        for (int length = 30; length < whole.length() - 2; length += 37) {
            bash(whole.substring(0, length)).waitFor();
            assertThat(folder.resolve("ran")).doesNotExist();
        }
        assertThat(bash(whole).waitFor()).isZero();
        assertThat(folder.resolve("ran")).exists();
    }

    private static final HostSnapshot HOSTS = new HostSnapshot(
            SITE.cluster(),
            List.of(
                    new LsfHost("a", "ok", 8, 6),
                    new LsfHost("b", "ok", 8, 0),
                    new LsfHost("c", "closed_Adm", 8, 0),
                    new LsfHost("d", "ok", 8, 5)),
            Map.of(
                    "a", new HostHardware("a", 8, 0, List.of()),
                    "b", new HostHardware("b", 8, 0, List.of("big")),
                    "d", new HostHardware("d", 2, 0, List.of())),
            Map.of(),
            Map.of());

    private static List<String> hosts(
            final int slots, final int perHost, final boolean counted, final String... requested) {
        return hosts(slots, new Placement(List.of(), perHost, false, List.of(), Map.of()), counted, requested);
    }

    private static List<String> hosts(
            final int slots, final Placement placement, final boolean counted, final String... requested) {
        return HostSelection.of(
                new JobRequest(Resources.cores(slots), placement, null, "", "", ""),
                Set.of(requested),
                Set.of("a", "b", "c", "d"),
                HOSTS,
                counted);
    }

    @Test
    void brun_names_the_fullest_host_that_suffices_and_several_hosts_if_none_does() {
        assertThat(hosts(2, 0, true)).containsExactly("a#2");
        assertThat(hosts(3, 0, true)).containsExactly("d#3");
        assertThat(hosts(10, 0, true)).containsExactly("b#8", "d#2");
        assertThat(hosts(4, 2, true)).containsExactly("b#2", "d#2");
        assertThat(hosts(2, 0, true, "b")).containsExactly("b#2");
        assertThat(hosts(14, 0, true)).isEmpty();
        assertThat(hosts(4, 0, true, "c")).as("a closed host").isEmpty();
        assertThat(hosts(9, 9, true)).as("span[hosts=1]").isEmpty();
        assertThat(hosts(1, new Placement(List.of("big"), 0, false, List.of(), Map.of()), true))
                .containsExactly("b#1");
        assertThat(hosts(1, new Placement(List.of(), 0, true, List.of(), Map.of()), true))
                .as("an exclusive job needs an idle host")
                .containsExactly("b#1");
    }

    @Test
    void openlava_fills_each_named_host_so_no_host_is_named_with_more_slots_than_the_job_may_have_there() {
        assertThat(hosts(10, 0, false)).as("8 on b, 2 on a").containsExactly("b", "a");
        assertThat(hosts(12, 0, false)).as("4 slots are free on no host but b").isEmpty();
        assertThat(hosts(3, 0, false, "a")).isEmpty();
        assertThat(hosts(3, 0, false, "d")).as("more slots than processors").containsExactly("d");
        assertThat(hosts(4, 2, false)).as("span[ptile=2] would become 4 on b").isEmpty();
        assertThat(hosts(10, 8, false)).as("span[ptile=8] is a full host").containsExactly("b", "a");
        assertThat(hosts(4, 4, false)).as("span[hosts=1]").containsExactly("b");
    }

    @Test
    void the_tasks_of_one_start_take_the_free_slots_one_after_the_other() {
        assertThat(tasks(2, true))
                .containsExactly(
                        List.of("a#2"), List.of("d#2"), List.of("b#2"), List.of("b#2"), List.of("b#2"), List.of("b#2"));
        assertThat(tasks(3, false))
                .as("brun of OpenLava fills a host, so a task starts on an empty one or on the rest of one")
                .containsExactly(List.of("d"), List.of("b"), List.of("b"));
    }

    /** The hosts of equal tasks, until none fits. */
    private static List<List<String>> tasks(final int slots, final boolean counted) {
        final JobRequest request = new JobRequest(Resources.cores(slots), Placement.ANYWHERE, null, "", "", "");
        final List<List<String>> started = new ArrayList<>();
        HostSnapshot left = HOSTS;
        while (true) {
            final List<String> hosts = HostSelection.of(request, Set.of(), Set.of("a", "b", "c", "d"), left, counted);
            if (hosts.isEmpty()) {
                return started;
            }
            started.add(hosts);
            left = HostSelection.taken(request, hosts, left);
        }
    }

    private int run(final String script, final Map<String, String> variables) throws Exception {
        return bash(wrapped(script, variables)).waitFor();
    }

    private String wrapped(final String script, final Map<String, String> variables) {
        final Submission submission = submission("n", script, Resources.cores(1), variables, folder);
        return new String(
                Bsub.of(SITE, features(OPENLAVA, false), submission, "n0").input(), StandardCharsets.UTF_8);
    }

    private static Process bash(final String script) throws IOException {
        final ProcessBuilder builder = new ProcessBuilder("bash", "-c", script);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("LSB_JOBID", "12");
        builder.environment().put("LSB_JOBINDEX", "0");
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static Bsub bsub(
            final LsfVersion version,
            final String name,
            final String script,
            final Resources resources,
            final Map<String, String> environment) {
        return bsub(features(version, false), name, script, resources, environment);
    }

    private static Bsub bsub(
            final LsfFeatures features,
            final String name,
            final String script,
            final Resources resources,
            final Map<String, String> environment) {
        return Bsub.of(SITE, features, submission(name, script, resources, environment, Path.of("/data/a b")), "n0");
    }

    private static LsfFeatures features(final LsfVersion version, final boolean memoryPerSlot) {
        return new LsfFeatures(version, true, LsfFeatures.ColumnFormat.FIELDS, memoryPerSlot);
    }

    private static Submission submission(
            final String name,
            final String script,
            final Resources resources,
            final Map<String, String> environment,
            final Path directory) {
        final JobSpec spec = new JobSpec(
                name,
                script,
                null,
                resources,
                Duration.ofMinutes(90).plusSeconds(1),
                PartitionName.of("low"),
                ProjectName.of("astro"),
                environment,
                new CheckpointMethod.None(),
                false);
        return new Submission(ATTEMPT, UserName.of("anna"), spec, directory.toString());
    }
}
