package io.millrace.script.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Bash;
import io.millrace.script.Dialect;
import io.millrace.script.StandardStreams;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.directive.ScriptRequest;
import io.millrace.script.wrapper.JobPreamble;
import io.millrace.script.wrapper.JobWrapper;
import io.millrace.script.wrapper.ShellQuote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scripts of each workload manager, translated for each other one: the job has the size that its own workload manager would give it,
 * by the rules of the one where it runs, or it is refused there.
 */
class LayoutTest {

    private static final int SCRIPTS = 1000;
    private static final int RUNS = 8;
    private static final String SET_BY_PBS = "99";

    @TempDir
    Path directory;

    /** A workload manager with the scripts that are written for it. */
    enum Source {
        SLURM(WlmType.SLURM, RandomScript::slurm),
        SELECT(WlmType.PBSPRO, RandomScript::select),
        NODES(WlmType.TORQUE, RandomScript::nodes),
        LSF(WlmType.LSF, RandomScript::lsf);

        private final WlmType own;
        private final Function<RandomGenerator, RandomScript> script;

        Source(final WlmType own, final Function<RandomGenerator, RandomScript> script) {
            this.own = own;
            this.script = script;
        }
    }

    static Stream<Arguments> pairs() {
        return Stream.of(Source.values())
                .flatMap(source -> Stream.of(WlmType.SLURM, WlmType.PBSPRO, WlmType.TORQUE, WlmType.LSF)
                        .map(target -> Arguments.of(source, target)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void a_job_has_the_size_that_its_script_requests_or_is_refused(final Source source, final WlmType target) {
        final Random random = new Random(20261128);
        int refused = 0;
        for (int i = 0; i < SCRIPTS; i++) {
            final RandomScript script = source.script.apply(random);
            final Job job = new Job(script.text(), target);
            final ScriptRequest request = job.read.request();
            assertThat(List.of(
                            request.cores(),
                            request.memoryMib() == null ? 0L : request.memoryMib(),
                            request.gpus() == null ? 0 : request.gpus(),
                            request.layout().tasks()))
                    .as("request of %s", script.text())
                    .isEqualTo(List.of(
                            script.size().cores(),
                            script.size().memoryMib(),
                            script.size().gpus(),
                            script.size().processes()));
            if (!job.translation.essential().isEmpty()) {
                refused++;
                continue;
            }
            assertSize(script, target, job);
        }
        if (source.own == target || target == WlmType.PBSPRO) {
            assertThat(refused).isZero();
        } else {
            assertThat(refused).isLessThan(SCRIPTS / 2);
        }
    }

    private static void assertSize(final RandomScript script, final WlmType target, final Job job) {
        final String as = target + " " + job.translation.resources() + " for " + script.text();
        final NativeRules expected = script.size();
        final NativeRules given = NativeRules.of(target, job.translation.resources());
        assertThat(given.cores()).as("cores of " + as).isEqualTo(expected.cores());
        assertThat(given.gpus()).as("GPUs of " + as).isEqualTo(expected.gpus());
        assertThat(given.memoryMib())
                .as("memory of " + as)
                .isBetween(expected.memoryMib(), expected.memoryMib() + expected.cores());
        if (expected.nodes() > 0) {
            assertThat(given.nodes()).as("nodes of " + as).isEqualTo(expected.nodes());
        }
        if (target == WlmType.PBSPRO || target == WlmType.SLURM && expected.coresPerProcess() > 0) {
            assertThat(given.processes()).as("processes of " + as).isEqualTo(expected.processes());
            if (expected.coresPerProcess() > 0) {
                assertThat(given.coresPerProcess())
                        .as("cores of a process of " + as)
                        .isEqualTo(expected.coresPerProcess());
            }
        }
        final ScriptRequest back = readBack(target.dialect(), job.translation.resources());
        assertThat(back.cores()).as("cores read back of " + as).isEqualTo(expected.cores());
        assertThat(back.gpus() == null ? 0 : back.gpus())
                .as("GPUs read back of " + as)
                .isEqualTo(expected.gpus());
    }

    private static ScriptRequest readBack(final Dialect dialect, final List<String> words) {
        final StringBuilder line = new StringBuilder("#!/bin/sh\n" + dialect.prefix());
        words.forEach(word -> line.append(' ').append(ShellQuote.of(word)));
        return ScriptParser.read(line + "\n").request();
    }

    /** OpenLava: no GPUs, affinity or blocks of slots, and memory is for each host, which can only be more than requested. */
    @ParameterizedTest
    @EnumSource(Source.class)
    void an_old_lsf_gives_the_cores_and_at_least_the_memory_or_refuses_the_job(final Source source) {
        final Set<String> missing = Set.of("-gpu", "rusage /task", "span[block]", "affinity");
        final Random random = new Random(17);
        int accepted = 0;
        for (int i = 0; i < SCRIPTS; i++) {
            final RandomScript script = source.script.apply(random);
            final Job job = new Job(script.text(), WlmType.LSF, missing);
            if (job.translation.essential().isEmpty()) {
                accepted++;
                final List<String> words = job.translation.resources();
                final String reserved = String.join(" ", words).replaceFirst(".*mem=(\\d+).*|.*", "$1");
                final int slots = Integer.parseInt(words.get(words.indexOf("-n") + 1));
                final int hosts = Math.max(1, script.size().nodes());
                assertThat(slots)
                        .as("%s for %s", words, script.text())
                        .isEqualTo(script.size().cores());
                assertThat(reserved.isEmpty() ? 0 : Long.parseLong(reserved) * hosts)
                        .as("%s for %s", words, script.text())
                        .isGreaterThanOrEqualTo(script.size().memoryMib());
            }
            assertThat(script.size().gpus() == 0 || !job.translation.essential().isEmpty())
                    .as("GPUs of %s", script.text())
                    .isTrue();
        }
        assertThat(accepted).isGreaterThan(SCRIPTS / 5);
    }

    /** The list of hosts that mpirun reads, and OMP_NUM_THREADS, in a job on hosts as the options allocate them. */
    @ParameterizedTest
    @MethodSource("pairs")
    void a_job_starts_the_processes_and_threads_that_its_script_requests(final Source source, final WlmType target)
            throws Exception {
        final Random random = new Random(28112026);
        for (int run = 0; run < RUNS; ) {
            final RandomScript script = source.script.apply(random);
            final Job job = new Job(script.text(), target);
            if (!job.translation.essential().isEmpty()) {
                continue;
            }
            run++;
            final String out = job.run(directory);
            assertThat(out)
                    .as("%s %s for %s", target, job.translation.resources(), script.text())
                    .isEqualTo(script.size().processes() + " " + threads(source, script, target) + "\n");
        }
    }

    /** PBS Pro sets the variable itself, but for scripts of others it counts the cores of a chunk. */
    private static String threads(final Source source, final RandomScript script, final WlmType target) {
        return switch (source) {
            case SELECT -> target == WlmType.PBSPRO ? SET_BY_PBS : Integer.toString(script.threads());
            case NODES -> target == WlmType.PBSPRO ? SET_BY_PBS : "unset";
            case SLURM, LSF ->
                target == WlmType.PBSPRO ? Integer.toString(script.size().coresPerProcess()) : "unset";
        };
    }

    private static final class Job {

        private final WlmType target;
        private final ParsedScript read;
        private final JobSpec spec;
        private final Translation translation;

        Job(final String text, final WlmType target) {
            this(text, target, Set.of());
        }

        Job(final String text, final WlmType target, final Set<String> missing) {
            this.target = target;
            this.read = ScriptParser.read(text);
            assertThat(read.problems()).as(text).isEmpty();
            final ScriptRequest request = read.request();
            this.spec = new JobSpec(
                    "job",
                    text,
                    null,
                    new Resources(
                            request.cores(),
                            request.nodes() == null ? 0 : request.nodes(),
                            request.memoryMib() == null ? 0 : request.memoryMib(),
                            request.gpus() == null ? 0 : request.gpus()),
                    Duration.ofHours(1),
                    null,
                    null,
                    Map.of(),
                    new CheckpointMethod.None(),
                    false);
            this.translation = Translation.of(target, new WlmFeatures("version 1", missing), spec, read);
        }

        /** Runs the job with the variables of its workload manager. Parts that may be on any hosts share as few as possible. */
        String run(final Path directory) throws Exception {
            final List<String> slots = new ArrayList<>();
            int host = 0;
            for (final TaskLayout.Part part : translation.layout().parts()) {
                for (int i = 0; i < part.count(); i++) {
                    host += translation.layout().nodes() > 0 || host == 0 ? 1 : 0;
                    slots.addAll(Collections.nCopies(slotsOf(part), "h" + host));
                }
            }
            final Map<String, String> variables =
                    new HashMap<>(Map.of("PBS_JOBID", "7.srv", "LSB_JOBID", "7", "SLURM_JOB_ID", "7"));
            final Path nodes = Files.writeString(directory.resolve("nodes"), String.join("\n", slots) + "\n");
            final String list = switch (target) {
                case SLURM -> {
                    variables.put("SLURM_NTASKS", Integer.toString(slots.size()));
                    yield "echo $SLURM_NTASKS";
                }
                case PBSPRO, TORQUE -> {
                    if (target == WlmType.PBSPRO) {
                        variables.put("OMP_NUM_THREADS", SET_BY_PBS);
                    }
                    variables.put("PBS_NODEFILE", nodes.toString());
                    yield "awk 'END { print NR }' \"$PBS_NODEFILE\"";
                }
                case LSF -> {
                    final StringBuilder hosts = new StringBuilder();
                    slots.stream()
                            .distinct()
                            .forEach(name -> hosts.append(name)
                                    .append(' ')
                                    .append(slots.stream().filter(name::equals).count())
                                    .append(' '));
                    variables.put("LSB_MCPU_HOSTS", hosts.toString());
                    yield "set -- $LSB_HOSTS; [ $# -gt 0 ] || set -- $(awk '{ for (i = 1; i < NF; i += 2) for"
                            + " (n = 0; n < $(i + 1); n++) print $i }' <<<\"$LSB_MCPU_HOSTS\"); echo $#";
                }
                case LOCAL -> throw new IllegalStateException();
            };
            final String preamble = JobPreamble.of(
                    target,
                    read,
                    spec,
                    translation.layout(),
                    ClusterId.of("alpha"),
                    AttemptId.of("01JDA0000000000000000000AA.2"),
                    directory.toString(),
                    new StandardStreams("out", null, null),
                    List.of());
            final String body = "#!/bin/bash\necho \"$(" + list + ") ${OMP_NUM_THREADS-unset}\" >seen\n";
            final Bash ran = Bash.run(JobWrapper.of(preamble, body, "n0", null), directory, variables);
            assertThat(ran.status()).as(ran.text()).isZero();
            return Files.readString(directory.resolve("seen"));
        }

        /**
         * Slots of a part in the list of hosts: processes for PBS Pro, and for Slurm unless there are spare cores, cores for Torque and LSF
         * without affinity.
         */
        private int slotsOf(final TaskLayout.Part part) {
            final boolean processes = switch (target) {
                case SLURM ->
                    translation
                            .resources()
                            .contains("--ntasks=" + translation.layout().tasks());
                case PBSPRO -> true;
                case TORQUE, LSF, LOCAL ->
                    String.join(" ", translation.resources()).contains("affinity");
            };
            return processes ? part.tasks() : part.cores();
        }
    }
}
