package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.Sbatch;
import io.millrace.agent.slurm.command.SettingUpdate;
import io.millrace.agent.slurm.qos.Association;
import io.millrace.agent.slurm.qos.AssociationQuery;
import io.millrace.agent.slurm.qos.Qos;
import io.millrace.agent.slurm.qos.QosChanges;
import io.millrace.agent.slurm.qos.QosNames;
import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text from users and sites stays within one argument, whatever it contains, and never becomes another option. */
class InjectionTest {

    private static final AttemptId ATTEMPT = AttemptId.of("01HZZZZZZZ0000000000000001.2");
    private static final Set<String> PROGRAMS = Set.of(
            "sbatch", "squeue", "sinfo", "scontrol", "scancel", "sacctmgr", "sacct", "id", "cat", "tee", "mv", "grep");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x --uid=0",
                "--uid=0",
                "-D/",
                "x; touch /tmp/canary",
                "$(touch /tmp/canary)",
                "`touch /tmp/canary`",
                "x\ntouch /tmp/canary\n",
                "x\" --uid=0 \"",
                "x' --uid=0 '",
                "x|y&z>w<v",
                "x,y=z AdminComment=millrace:start=0@1",
                "#SBATCH --uid=0",
                "%j%u\\n\\0",
                "größe 温度 \u202e"
            })
    void free_text_stays_one_argument(final String hostile) {
        oneArgument(hostile, name -> sbatch(name, "/home/x", Map.of()));
        oneArgument(hostile, directory -> sbatch("x", "/home/" + directory, Map.of()));
        oneArgument(
                hostile,
                comment -> HoldUpdate.of(
                        Transcripts.SITE,
                        "7",
                        AdminCommentMark.start(1, Instant.EPOCH).replaceIn(comment)));

        // The job's environment appears neither on the command line nor in sbatch's own environment.
        final Sbatch sbatch = sbatch("x", "/home/x", Map.of("A", hostile));
        assertThat(sbatch.argv()).isEqualTo(sbatch("x", "/home/x", Map.of()).argv());
        assertThat(sbatch.environment()).containsOnlyKeys("SLURM_CONF");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x;touch", "$(touch)", "`x`", "a=b", "x\"y", "x'y", "a|b", "x&y", "x,y", "*", "größe"})
    void partitions_stay_one_argument(final String hostile) {
        oneArgument(
                hostile,
                partition -> sbatch("x", "/home/x", Map.of(), PartitionName.of(partition), ProjectName.of("astro")));
        oneArgument(
                hostile, partition -> HoldUpdate.of(Transcripts.SITE, "7", "x").inPartitions(partition));
        oneArgument(hostile, partition -> SettingUpdate.partitions(Transcripts.SITE, "7", partition));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.b@c-d_e+f", "x$", "größe", "温度", "+x", "-x", "a,b", "a=b", "a b", "a'b", "a;b", "a\nb", "x|y"
            })
    void user_names_stay_one_argument_or_are_refused(final String name) {
        final UserName user;
        try {
            user = UserName.of(name);
        } catch (final IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("not a valid user name");
            return;
        }
        oneArgument(name, any -> new AssociationQuery(Transcripts.SITE, "alpha", user));
        final QosChanges changes = new QosChanges(Transcripts.SITE, "alpha", new QosNames(ClusterId.of("alpha")));
        final List<ChangeCommand> commands =
                new ArrayList<>(changes.toSet(user, 4, List.of(), List.of(new Association("a", Set.of(), ""))));
        final String own = new QosNames(ClusterId.of("alpha")).own(user);
        commands.addAll(changes.toClear(
                user, List.of(new Qos(own, 4, Set.of(), "", 0)), List.of(new Association("a", Set.of(own), own))));
        assertThat(commands).hasSize(6);
        for (final ChangeCommand command : commands) {
            noShell(command);
            // sacctmgr separates names by commas and settings by equals signs.
            assertThat(command.argv().stream().filter(argument -> argument.startsWith("name=")))
                    .allMatch(argument ->
                            argument.indexOf(',') < 0 && argument.indexOf('=') == argument.lastIndexOf('='));
        }
    }

    @Test
    void the_id_of_an_array_or_component_contains_only_what_slurm_printed() {
        for (final String shown : List.of("7_[1,3-9:2%4]", "7_[0]", "9+0", "7_3", "12")) {
            assertThat(TargetId.of(row(shown))).matches("[0-9]+(_([0-9]+|\\[[0-9,:-]+]))?");
        }
        assertThat(TargetId.nextTask(row("7_[13,20-30%2]"))).isEqualTo("7_13");
        assertThat(TargetId.isLaterComponent(row("9+1"))).isTrue();
    }

    private static QueuedJob row(final String shown) {
        final List<String> cells = new ArrayList<>(Collections.nCopies(QueuedJob.FIELDS.size(), ""));
        cells.set(QueuedJob.FIELDS.indexOf("jobarrayid"), shown);
        return new QueuedJob(cells);
    }

    /** As many arguments as with a harmless value, and the hostile value only within the value of an option. */
    private static void oneArgument(final String hostile, final Function<String, CommandLine<?>> command) {
        final CommandLine<?> line = command.apply(hostile);
        noShell(line);
        assertThat(line.argv()).hasSameSizeAs(command.apply("harmless").argv());
        assertThat(line.argv().stream()
                        .filter(argument -> argument.contains(hostile.strip()) && !argument.equals(hostile)))
                .as("'" + hostile + "' after the name of its option")
                .isNotEmpty()
                .allMatch(argument -> argument.matches("(?s)(--?[a-z-]+|[A-Za-z]+)=.*"));
        assertThat(line.argv()).doesNotContain(hostile);
    }

    /** Neither a shell nor a program that reads further arguments from elsewhere. */
    private static void noShell(final CommandLine<?> line) {
        assertThat(line.argv().get(0)).isIn(PROGRAMS);
        assertThat(line.argv()).allMatch(argument -> argument.indexOf('\0') < 0);
    }

    private static Sbatch sbatch(final String name, final String directory, final Map<String, String> environment) {
        return sbatch(name, directory, environment, PartitionName.of("main"), ProjectName.of("astro"));
    }

    private static Sbatch sbatch(
            final String name,
            final String directory,
            final Map<String, String> environment,
            final PartitionName partition,
            final ProjectName project) {
        final JobSpec spec = new JobSpec(
                name,
                "#!/bin/sh\ntrue\n",
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                partition,
                project,
                environment,
                new CheckpointMethod.None(),
                false);
        return Sbatch.of(Transcripts.SITE, new Submission(ATTEMPT, UserName.of("anna"), spec, directory), "n0");
    }
}
