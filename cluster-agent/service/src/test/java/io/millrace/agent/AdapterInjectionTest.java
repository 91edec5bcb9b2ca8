package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Attack;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Words of an attacker's in every field of every order to PBS, Torque and LSF: the model refuses them, or the adapter does, or they are
 * one word, or part of one, where a harmless word stands otherwise. The recorded clusters answer; orders are taken down, and succeed.
 */
class AdapterInjectionTest {

    private static final List<String> HOSTILE = List.of(
            "; touch pwned",
            "$(touch pwned)",
            "`touch${IFS}pwned`",
            "-oProxyCommand=x",
            "--rsh=x",
            "-h",
            "x\ny",
            "a' b\" c\\",
            "../../etc/passwd",
            "@evil.example",
            "12.vm@evil.example",
            "12[*]",
            "0",
            "x[1-9]%2",
            "x,PBS_SERVER=evil",
            "x=1,walltime=99:00:00",
            "u:root",
            "a]+=[u:root",
            "x|y&z>w<v",
            "%J_%I",
            "größe 温度 \u202e",
            "a.b@c-d_e+f$");

    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);
    private static final UserName ANNA = UserName.of("anna");

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(RecordedAdapter.class)
    @Attack("a field of a job becomes a second word of a command line of a workload manager")
    void no_field_of_any_order_is_more_than_one_word(final RecordedAdapter adapter) {
        final RecordedAnswers cluster = new RecordedAnswers(adapter.answers(), new ArrayList<>());
        final WorkloadManager wlm = adapter.on(cluster, folder);
        final List<JobObserved> jobs = wlm.observe().get().jobs();
        final Set<String> given = new TreeSet<>();

        for (final Consumer<String> field : fields(wlm, jobs)) {
            final List<CommandLine<?>> plain = said(cluster, () -> field.accept("harmless"));
            plain.forEach(command -> given.add(command.argv().get(0)));
            for (final String hostile : HOSTILE) {
                final List<CommandLine<?>> said = said(cluster, () -> {
                    try {
                        field.accept(hostile);
                    } catch (final IllegalArgumentException refused) {
                        assertThat(refused).hasMessageNotContaining("null"); // the model says no, in words
                    }
                });
                said.forEach(command -> harmless(command, hostile));
                sameShape(said, plain, hostile);
            }
        }
        orders(wlm, jobs);
        cluster.ran().forEach(command -> given.add(command.argv().get(0)));
        assertThat(given).as("the orders were given, or nothing was tried").containsAll(adapter.orders);
    }

    private static List<CommandLine<?>> said(final RecordedAnswers cluster, final Runnable action) {
        cluster.ran().clear();
        action.run();
        return List.copyOf(cluster.ran());
    }

    /** Each free text that orders hold: a word goes in, orders come out. */
    private static List<Consumer<String>> fields(final WorkloadManager wlm, final List<JobObserved> jobs) {
        final JobKey waiting = one(jobs, JobState.Queued.class);
        final JobKey running = one(jobs, JobState.Running.class);
        final List<Consumer<String>> fields = new ArrayList<>(List.of(
                word -> wlm.submit(submission(word, "/home/anna", null, null, Map.of())),
                word -> wlm.submit(submission("x", "/home/anna/" + word, null, null, Map.of())),
                word -> wlm.submit(submission("x", "/home/anna", PartitionName.of(word), null, Map.of())),
                word -> wlm.submit(submission("x", "/home/anna", null, ProjectName.of(word), Map.of())),
                word -> wlm.submit(submission("x", "/home/anna", null, null, Map.of("NAME", word))),
                word -> wlm.submit(submission("x", "/home/anna", null, null, Map.of(word, "value"))),
                word -> wlm.get(Signalling.class).signal(running, word)));
        for (final JobKey job : List.of(waiting, running)) {
            fields.add(word -> orders(wlm, new JobKey(new JobId(job.id().cluster(), word), job.submittedAt())));
            fields.add(word -> wlm.get(Moving.class).start(job, PartitionName.of(word)));
        }
        if (wlm.find(Limiting.class) instanceof Limiting limiting) {
            fields.add(word -> limiting.setLimit(UserName.of(word), 4));
        }
        return fields;
    }

    private static JobKey one(final List<JobObserved> jobs, final Class<? extends JobState> state) {
        return jobs.stream()
                .filter(job -> state.isInstance(job.state()) && job.detail().array() == null)
                .map(JobObserved::job)
                .findFirst()
                .orElseThrow();
    }

    private static void orders(final WorkloadManager wlm, final List<JobObserved> jobs) {
        jobs.forEach(job -> orders(wlm, job.job()));
        wlm.get(Signalling.class).signal(one(jobs, JobState.Running.class), "USR1");
    }

    private static void orders(final WorkloadManager wlm, final JobKey job) {
        wlm.get(Moving.class).start(job, PartitionName.of("short"));
        wlm.get(Starting.class).start(job);
        wlm.get(Holding.class).hold(job, HoldKind.ENTRY);
        Stream.of(HoldKind.values()).forEach(kind -> wlm.get(Holding.class).release(job, kind));
        wlm.get(Requeueing.class).requeue(job);
        wlm.get(Requeueing.class).requeueHeld(job);
        wlm.get(Suspending.class).suspend(job);
        wlm.get(Suspending.class).resume(job);
        wlm.get(Altering.class).setWalltime(job, Duration.ofHours(2));
        wlm.get(Altering.class).alterPending(job, "other", 2);
        if (wlm.find(Tiering.class) instanceof Tiering tiering) {
            Stream.of(Tier.values()).forEach(tier -> tiering.setTier(job, tier));
        }
        wlm.cancel(job);
    }

    private static Submission submission(
            final String name,
            final String directory,
            final PartitionName partition,
            final ProjectName project,
            final Map<String, String> environment) {
        final JobSpec spec = new JobSpec(
                name,
                "#!/bin/sh\ntrue\n",
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                partition,
                project,
                environment,
                new CheckpointMethod.None(),
                false);
        return new Submission(ATTEMPT, ANNA, spec, directory);
    }

    /** No shell reads it, and it is no variable of a command of ours. */
    private static void harmless(final CommandLine<?> command, final String hostile) {
        final List<String> argv = command.argv();
        assertThat(argv.get(0)).matches("[a-z]+");
        assertThat(argv).as("a NUL ends a word").allMatch(word -> word.indexOf('\0') < 0);
        assertThat(command.environment().toString()).doesNotContain(hostile);
        final int program = argv.indexOf("-c");
        if (program > 0 && argv.get(program - 1).endsWith("sh")) {
            assertThat(argv.get(program + 1)).doesNotContain(hostile);
        }
    }

    /** The same orders in the same words, but for one or more that hold the hostile text and stand behind an option or its own name. */
    private static void sameShape(
            final List<CommandLine<?>> said, final List<CommandLine<?>> plain, final String hostile) {
        for (int at = 0; at < Math.min(said.size(), plain.size()); at++) {
            final List<String> words = said.get(at).argv();
            final List<String> model = plain.get(at).argv();
            if (!words.get(0).equals(model.get(0)) || isQuestion(words)) {
                continue; // refused earlier: nothing more was said
            }
            assertThat(words).as(hostile).hasSameSizeAs(model);
            for (int i = 0; i < words.size(); i++) {
                if (!words.get(i).equals(model.get(i))) {
                    final boolean valued = model.get(i - 1).matches("--?[A-Za-z]+")
                            || words.subList(0, i).contains("--");
                    final boolean named = model.get(i).matches("(?s)[A-Za-z]+=.*|set server .*");
                    final boolean queue = i == 1 && words.get(0).matches("qmove|bswitch");
                    assertThat(valued || named || queue)
                            .as("%s in %s", words.get(i), words)
                            .isTrue();
                }
            }
            if (words.get(0).equals("qmgr")) {
                assertThat(words.get(2)).matches("(list|set|create) [\\p{L}\\p{N} _.+=:\\[\\]-]+");
                assertThat(words.get(2).chars().filter(c -> c == '[').count()).isLessThanOrEqualTo(1);
            }
        }
        // What is given about a job is given about one that the cluster has shown.
        said.stream()
                .map(CommandLine::argv)
                .filter(argv -> argv.get(0)
                        .matches("b(kill|stop|resume|requeue|mod|switch|run)|q(hold|rls|run|rerun|sig|del|alter|move)"))
                .forEach(argv -> assertThat(argv.get(argv.size() - 1)).matches("\\d+(\\[\\d*])?(\\.vm)?"));
    }

    private static boolean isQuestion(final List<String> argv) {
        return argv.get(0).matches("qstat|bjobs|pbsnodes|bqueues|bhosts|lshosts|lsid|bparams");
    }

    @ParameterizedTest
    @EnumSource(RecordedAdapter.class)
    void a_job_is_asked_for_by_an_id_and_nothing_else(final RecordedAdapter adapter) {
        final RecordedAnswers cluster = new RecordedAnswers(adapter.answers(), new ArrayList<>());
        final WorkloadManager wlm = adapter.on(cluster, folder);
        wlm.observe().get();
        for (final String other :
                List.of("@evil.example", "12@evil.example", "12;id", "12[*]", "workq", "x|y", "12,13")) {
            cluster.ran().clear();
            wlm.cancel(new JobKey(new JobId(ClusterId.of("vm"), other), Instant.EPOCH));
            assertThat(cluster.ran().stream().flatMap(command -> command.argv().stream()))
                    .as("nobody else's server, and no jobs in the plural")
                    .noneMatch(word -> word.contains(other));
        }
    }
}
