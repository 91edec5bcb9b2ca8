package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.action.CommandValidator;
import io.millrace.agent.checkpoint.MarkerFileQuery;
import io.millrace.agent.command.SignatureAuthorization;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.identity.SignedPlace;
import io.millrace.agent.run.MakeScript;
import io.millrace.agent.run.StagingDirectories;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.Place;
import io.millrace.testing.Attack;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every text in every action, replaced by what an attacker would write: either the model does not take it, or it reaches a command line
 * as one word that is no option, and never the program text of a shell.
 */
class InjectionTest {

    private static final List<String> HOSTILE = List.of(
            "; touch pwned",
            "$(touch pwned)",
            "`touch pwned`",
            "-oProxyCommand=touch pwned",
            "--rsh=touch pwned",
            "x\ny",
            "a' b\" c\\",
            "../../../etc/passwd",
            "/etc/passwd",
            "x && touch pwned",
            "x|y>z",
            "%j");
    private static final JobKey JOB =
            new JobKey(new JobId(ClusterId.of("alpha"), "12"), Instant.parse("2026-06-01T12:00:00Z"));
    private static final UserName ANNA = UserName.of("anna");

    @TempDir
    Path root;

    /** Takes down what would be run, and answers as if it had gone well. */
    private static final class Watching implements Runner {
        private final List<CommandLine<?>> ran = new ArrayList<>();

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            ran.add(command);
            return command.read(CommandResult.of(0, "12\n", ""));
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    private static List<Action> samples() {
        final JobSpec spec = new JobSpec(
                "name",
                "#!/bin/sh\ntrue\n",
                "#!/bin/sh\nmake\n",
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                Map.of("NAME", "value"),
                new CheckpointMethod.Application("USR1", "saved", Duration.ofSeconds(5)),
                false);
        final var attempt = GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);
        return List.of(
                new Action.Submit(attempt, ANNA, spec, "/home/anna", "signature"),
                new Action.Make(attempt, ANNA, spec, "/home/anna", "signature"),
                new Action.DryRun(attempt, ANNA, spec, "/home/anna", "signature"),
                new Action.Start(JOB, PartitionName.of("main")),
                new Action.Hold(JOB),
                new Action.Release(JOB),
                new Action.Requeue(JOB),
                new Action.Suspend(JOB),
                new Action.Resume(JOB),
                new Action.Checkpoint(JOB, spec.checkpoint()),
                new Action.Signal(JOB, "USR1"),
                new Action.Cancel(JOB),
                new Action.Reclaim(List.of(JOB), JOB),
                new Action.CopyTree(
                        TransferId.of(attempt + "/upload"),
                        ANNA,
                        new Place(ClusterId.of("beta"), "beta.example", "/home/anna/job"),
                        new Place(ClusterId.of("alpha"), null, "/home/anna/job")),
                new Action.StopCopy(TransferId.of(attempt + "/upload")),
                new Action.RemoveCopy(attempt, ANNA, "/staging/anna/" + attempt, ""),
                new Action.AlterWalltime(JOB, Duration.ofHours(1)),
                new Action.AlterPending(JOB, "other", 2),
                new Action.SetTier(JOB, Tier.BORROWED),
                new Action.SetPartitions(JOB, List.of(PartitionName.of("main"), PartitionName.of("$(id)"))),
                new Action.SetLimit(ANNA, 3));
    }

    @Test
    void the_samples_are_all_the_actions() {
        assertThat(samples()).extracting(Action::getClass).doesNotHaveDuplicates();
        final Set<Class<?>> sampled =
                Set.copyOf(samples().stream().map(Object::getClass).toList());
        assertThat(sampled).isEqualTo(actions(Action.class).collect(Collectors.toSet()));
    }

    private static Stream<Class<?>> actions(final Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(InjectionTest::actions)
                : Stream.of(type);
    }

    @Test
    @Attack("a field of a command becomes an option of a program or the text of a shell")
    void no_field_of_any_action_becomes_an_option_or_a_shells_text() {
        int entered = 0;
        for (final Action sample : samples()) {
            for (final String hostile : HOSTILE) {
                for (final Object changed : variants(sample, hostile)) {
                    entered++;
                    final Watching watching = new Watching();
                    carryOut((Action) changed, watching);
                    watching.ran.forEach(command -> harmless(command, hostile, changed));
                }
            }
        }
        assertThat(entered).as("hostile values that the model takes").isGreaterThan(100);
    }

    private void carryOut(final Action action, final Runner runner) {
        final OwnerAccounts owners = new OwnerAccounts(TestAccounts.labels(), runner, true);
        final StagingDirectories staging = new StagingDirectories(root.resolve("staging"), owners);
        final WorkloadManager slurm = Slurm.of(
                new SlurmSite(ClusterId.of("alpha"), Path.of("/etc/slurm/slurm.conf")),
                runner,
                Clock.systemUTC(),
                () -> "nonce");
        switch (action) {
            case Action.Submit a -> {
                if (staging.prepare(a.owner(), a.directory(), Authority.CHECK) instanceof Answer.Ok<?>) {
                    submit(slurm, a);
                }
            }
            case Action.DryRun a -> staging.prepare(a.owner(), a.directory(), Authority.CHECK);
            case Action.Make a -> {
                if (staging.prepare(a.owner(), a.directory(), Authority.CHECK) instanceof Answer.Ok<?>) {
                    MakeScript.of(a).write(runner);
                }
            }
            case Action.Start a -> slurm.get(Starting.class).start(a.job());
            case Action.Hold a -> slurm.get(Holding.class).hold(a.job(), io.millrace.model.cluster.HoldKind.ENTRY);
            case Action.Release a ->
                slurm.get(Holding.class).release(a.job(), io.millrace.model.cluster.HoldKind.SUBMISSION);
            case Action.Requeue a -> slurm.get(Requeueing.class).requeue(a.job());
            case Action.Suspend a -> slurm.get(Suspending.class).suspend(a.job());
            case Action.Resume a -> slurm.get(Suspending.class).resume(a.job());
            case Action.Signal a -> slurm.get(Signalling.class).signal(a.job(), a.signal());
            case Action.Cancel a -> slurm.cancel(a.job());
            case Action.Reclaim a -> slurm.get(Starting.class).start(a.beneficiary());
            case Action.CopyTree a ->
                new TreeCopies((owner, authority) -> runner, TransferSettings.of("/staging", null)).copy(a);
            case Action.Checkpoint a -> {
                if (a.method() instanceof CheckpointMethod.Application method) {
                    slurm.get(Signalling.class).signal(a.job(), method.signal());
                    runner.run(new MarkerFileQuery(
                            Path.of("/home/anna").resolve(method.marker()).toString()));
                }
            }
            case Action.StopCopy a -> {}
            case Action.RemoveCopy a ->
                new TreeCopies((owner, authority) -> runner, TransferSettings.of("/staging", null)).remove(a);
            case Action.AlterWalltime a -> slurm.get(Altering.class).setWalltime(a.job(), a.walltime());
            case Action.AlterPending a -> slurm.get(Altering.class).alterPending(a.job(), a.jobName(), a.cores());
            case Action.SetTier a -> slurm.get(Tiering.class).setTier(a.job(), a.tier());
            case Action.SetPartitions a -> slurm.get(PartitionChoosing.class).setPartitions(a.job(), a.partitions());
            case Action.SetLimit a -> slurm.get(Limiting.class).setLimit(a.user(), a.cores());
        }
    }

    private static void submit(final WorkloadManager slurm, final Action.Submit order) {
        slurm.submit(new Submission(order.attempt(), order.owner(), order.spec(), order.directory()));
    }

    /** A word that is an attacker's alone follows "--", and a shell's program text holds nothing of it. */
    private static void harmless(final CommandLine<?> command, final String hostile, final Object action) {
        final List<String> argv = command.argv();
        assertThat(argv.get(0)).as("%s", action).matches("[a-z][a-z0-9-]*");
        final int end = argv.indexOf("--");
        for (int i = 1; i < argv.size(); i++) {
            final String word = argv.get(i);
            if (word.contains(hostile) && hostile.startsWith("-")) {
                assertThat(!word.startsWith(hostile) || (end >= 0 && i > end))
                        .as("%s in %s", word, argv)
                        .isTrue();
            }
            if (i > 1 && argv.get(i - 1).equals("-c") && argv.get(0).matches("bash|sh")) {
                assertThat(word).doesNotContain(hostile);
            }
        }
        assertThat(command.environment().keySet()).noneMatch(name -> name.contains(hostile));
    }

    /** Copies of a record in which one text, however deep, is the hostile one; those that the model refuses are left out. */
    private static List<Object> variants(final Object value, final String hostile) {
        final List<Object> all = new ArrayList<>();
        if (value instanceof String) {
            all.add(hostile);
        } else if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            all.add(Map.of(hostile, "value"));
            all.add(Map.of("NAME", hostile));
        } else if (value instanceof Record record) {
            final RecordComponent[] components = record.getClass().getRecordComponents();
            for (int i = 0; i < components.length; i++) {
                final Object part = read(record, components[i]);
                if (part != null) {
                    for (final Object variant : variants(part, hostile)) {
                        copy(record, components, i, variant, all);
                    }
                }
            }
        }
        return all;
    }

    private static Object read(final Record record, final RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copy(
            final Record record,
            final RecordComponent[] components,
            final int changed,
            final Object variant,
            final List<Object> all) {
        final Object[] parts =
                Arrays.stream(components).map(c -> read(record, c)).toArray();
        parts[changed] = variant;
        try {
            all.add(record.getClass()
                    .getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(parts));
        } catch (final InvocationTargetException e) {
            assertThat(e.getCause())
                    .as("the model says no in words")
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("null");
        } catch (final ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Attack("a service sends a command that belongs to another service")
    void a_command_from_an_issuer_that_may_not_send_it_is_refused_on_its_face() {
        final CommandValidator judge = new CommandValidator(EnumSet.allOf(Capability.class));
        final Instant now = Instant.parse("2026-06-01T12:00:00Z");
        for (final Action action : samples()) {
            final List<Issuer> may = Arrays.stream(Issuer.values())
                    .filter(issuer -> judge.validateStatic(
                                    new Command(
                                            Command.idOf(issuer, action, 0),
                                            ClusterId.of("alpha"),
                                            issuer,
                                            0,
                                            now,
                                            now.plusSeconds(60),
                                            List.of(),
                                            action,
                                            "test"),
                                    now)
                            .isEmpty())
                    .toList();
            assertThat(may).as(action.name()).hasSizeLessThanOrEqualTo(2);
            if (action instanceof Action.Submit || action instanceof Action.Make) {
                assertThat(may).containsExactly(Issuer.MIGRATION);
            }
            if (action instanceof Action.DryRun) {
                assertThat(may).containsExactly(Issuer.SUBMIT);
            }
        }
    }

    @Test
    @Attack("a command without a signature acts as a user")
    void nothing_of_a_user_is_done_without_a_good_signature() {
        final SignatureAuthorization permits = new SignatureAuthorization(
                null,
                new OwnerAccounts(TestAccounts.labels(), new Watching(), true),
                new SignedPlace(JOB.cluster(), "/staging"));
        for (final Action action : samples()) {
            if (action instanceof Action.Submit
                    || action instanceof Action.Make
                    || action instanceof Action.DryRun
                    || action instanceof Action.CopyTree
                    || action instanceof Action.RemoveCopy) {
                assertThat(permits.refusal(action, Instant.now()))
                        .as(action.name())
                        .hasValueSatisfying(
                                because -> assertThat(because).contains("no public keys of submit-service"));
            }
        }
        assertThat(Refusal.values()).contains(Refusal.NOT_PERMITTED);
    }
}
