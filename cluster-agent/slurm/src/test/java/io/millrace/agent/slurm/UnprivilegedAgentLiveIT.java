package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.Helper;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.SecretSearch;
import io.millrace.agent.exec.SshRunner;
import io.millrace.agent.session.Program;
import io.millrace.agent.session.Session;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.PrivateSshd;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The agent runs as the unprivileged user millrace with the privileges that Slurm and sudo grant; missing ones are reported by name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class UnprivilegedAgentLiveIT {

    private static final JobState ENTRY_HOLD = new JobState.Held(HoldKind.ENTRY);

    private SlurmLab lab;
    private WorkloadManager slurm;
    private Path directory;

    @BeforeAll
    void open() {
        lab = SlurmLab.openForAgent();
        slurm = lab.wlmOfAgent();
        directory = lab.directory();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @AfterEach
    void empty_the_queue() {
        lab.wlm().observe().get().jobs().forEach(job -> lab.wlm().cancel(job.job()));
        lab.until("an empty queue", () -> lab.wlm().observe().get().jobs().isEmpty());
    }

    @Test
    void all_commands_work_without_root() throws Exception {
        assertThat(Offer.of(slurm).withheld())
                .doesNotContainKeys(Capability.START, Capability.TIER, Capability.LIMIT, Capability.ALTER);
        final JobKey job = submit("#!/bin/sh\nid -un >who\nexec sleep 600\n");
        final String id = job.id().local();

        slurm.get(Holding.class).release(job, HoldKind.SUBMISSION).get();
        assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);
        slurm.get(Holding.class).hold(job, HoldKind.ENTRY).get();
        slurm.get(Limiting.class).setLimit(lab.owner(), 8).get();
        assertThat(slurm.get(Limiting.class).limits().get()).containsEntry(lab.owner(), 8);
        slurm.get(Tiering.class).setTier(job, Tier.BORROWED).get();
        slurm.get(Altering.class).setWalltime(job, Duration.ofMinutes(20)).get();
        slurm.get(Starting.class).start(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        lab.until("the file with the user name", () -> Files.exists(directory.resolve("who")));
        slurm.get(Altering.class).setWalltime(job, Duration.ofMinutes(30)).get();
        slurm.get(Suspending.class).suspend(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Suspended);
        slurm.get(Suspending.class).resume(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        slurm.get(Requeueing.class).requeueHeld(job).get();
        lab.await(id, seen -> seen.state().equals(ENTRY_HOLD));
        slurm.get(Starting.class).start(job).get();
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        slurm.get(Signalling.class).signal(job, "CONT").get();
        slurm.cancel(job).get();
        lab.until("the end of the job", () -> slurm.observe().get().jobs().isEmpty());
        assertThat(Files.readString(directory.resolve("who")).strip())
                .isEqualTo(lab.owner().value());
    }

    @Test
    void control_is_changed_without_root() {
        final String id = lab.sleeper(lab.owner(), "--ntasks=1");
        assertThat(lab.observed(id).state()).isEqualTo(ENTRY_HOLD);

        slurm.get(ControlSwitching.class).control(Control.NATIVE).get();
        assertThat(slurm.get(ControlSwitching.class).control()).isEqualTo(Answer.ok(Control.NATIVE));
        lab.await(id, seen -> seen.state() instanceof JobState.Running);
        slurm.get(ControlSwitching.class).control(Control.DIRECTED).get();
        assertThat(lab.observed(lab.sleeper(lab.owner(), "--ntasks=1")).state()).isEqualTo(ENTRY_HOLD);
    }

    @Test
    void a_revoked_admin_level_is_reported_with_its_remedy() {
        final JobKey job = lab.key(lab.sleeper(lab.owner(), "--ntasks=1"));
        level("None");
        try {
            lab.until(
                    "slurmctld to apply the change",
                    () -> slurm.get(Starting.class).start(job) instanceof Answer.Trouble);
            assertThat(slurm.get(Starting.class).start(job)).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
                assertThat(trouble.reason()).contains("adminlevel=Administrator");
            });
            assertThat(slurm.get(Limiting.class).setLimit(lab.owner(), 2))
                    .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                        assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
                        assertThat(trouble.reason()).contains("adminlevel=Administrator");
                    });
            assertThat(Offer.of(slurm).withheld().get(Capability.START))
                    .contains("'millrace'", "adminlevel=Administrator");
            assertThat(lab.observed(job.id().local()).state()).isEqualTo(ENTRY_HOLD);
        } finally {
            level("Administrator");
        }
        lab.until(
                "slurmctld to apply the change",
                () -> slurm.get(Holding.class).hold(job, HoldKind.ENTRY) instanceof Answer.Ok
                        && slurm.get(Starting.class).start(job) instanceof Answer.Ok);
    }

    @Test
    void jobs_are_submitted_only_for_the_users_in_the_sudo_rule() {
        assertThat(slurm.submit(submission(UserName.of("daemon"), "#!/bin/sh\ntrue\n")))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
                    assertThat(trouble.reason()).contains("millrace-become", "system account");
                });
        assertThat(slurm.observe().get().jobs()).isEmpty();
    }

    @Test
    void the_umask_of_a_job_is_the_one_of_its_owners_profile() throws Exception {
        final UserName owner = lab.owner();
        final Path home = Path.of(new Accounts().named(owner).orElseThrow().home());
        final Path profile = home.resolve(".profile");
        final String before = Files.exists(profile) ? Files.readString(profile) : "";
        Files.createDirectories(home);
        Files.writeString(profile, "umask 031\n");
        try {
            final Runner agent = UnprivilegedUser.runner(new ProcessRunner(new Accounts()), UserName.of("millrace"));
            assertThat(new OwnerAccounts(new Accounts(), agent, true).loginUmask(owner))
                    .isEqualTo("0031");
        } finally {
            Files.writeString(profile, before);
        }
    }

    @Test
    void hostile_text_in_every_field_stays_text_through_sudo_and_slurm() throws Exception {
        hostileTextStaysText(slurm);
    }

    @Test
    void an_agent_on_another_host_works_through_ssh_and_the_forced_command(@TempDir final Path folder)
            throws Exception {
        final Path command = folder.resolve("millrace-remote");
        Files.copy(SlurmLab.root().resolve("deploy/agent/millrace-remote"), command);
        final Path control = lab.site().controlFile().toRealPath();
        final Path conf = Files.writeString(folder.resolve("remote.conf"), "file=" + control + "\n");
        lab.asRoot("chmod", "711", folder.toString()).get();
        lab.asRoot("chmod", "644", command.toString(), conf.toString()).get();
        final Account agent = new Accounts().named(UserName.of("millrace")).orElseThrow();
        try (PrivateSshd sshd = new PrivateSshd(folder)) {
            sshd.force("setpriv --reuid=%d --regid=%d --init-groups -- bash %s %s"
                    .formatted(agent.uid(), agent.gid(), command, conf));
            final WorkloadManager overSsh = Slurm.of(
                    lab.site(),
                    new SshRunner(new ProcessRunner(new Accounts()), sshd.destination("root")),
                    Clock.systemUTC(),
                    () -> UUID.randomUUID().toString().replace("-", ""));

            hostileTextStaysText(overSsh);
            overSsh.get(ControlSwitching.class).control(Control.NATIVE).get();
            assertThat(slurm.get(ControlSwitching.class).control()).isEqualTo(Answer.ok(Control.NATIVE));
            overSsh.get(ControlSwitching.class).control(Control.DIRECTED).get();
            assertThat(overSsh.get(ControlSwitching.class).control()).isEqualTo(Answer.ok(Control.DIRECTED));
            assertThat(overSsh.submit(submission(UserName.of("daemon"), "#!/bin/sh\ntrue\n")))
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED));
        }
    }

    @Test
    void a_make_step_runs_as_its_owner_with_a_login_environment_and_ends_at_its_limit(@TempDir final Path folder)
            throws Exception {
        final Path profile = Path.of("/home", lab.owner().value(), ".bash_profile");
        assertThat(profile).doesNotExist();
        Files.writeString(profile, "echo noise; cd /; export FROM_PROFILE=yes PATH=/opt/site:$PATH NAME=profile\n");
        try {
            final Session.Exit exit = asUnprivilegedAgent(
                    folder, "#!/bin/sh\nid -un; pwd; echo $FROM_PROFILE $NAME $PATH\n", Duration.ofMinutes(2));
            assertThat(exit.status()).isZero();
            assertThat(Files.readAllLines(directory.resolve("made")))
                    .startsWith(lab.owner().value(), directory.toString())
                    .last(InstanceOfAssertFactories.STRING)
                    .startsWith("yes x'; $(id) /opt/site:");
            final Session.Exit late =
                    asUnprivilegedAgent(folder, "#!/bin/sh\nsleep 86399 &\nexec sleep 86398\n", Duration.ofSeconds(1));
            assertThat(late.timedOut()).isTrue();
            lab.until(
                    "the end of all its processes",
                    () -> lab.asRoot("pgrep", "-f", "sleep 8639[89]") instanceof Answer.Trouble);
        } finally {
            Files.delete(profile);
        }
    }

    @Test
    void no_variable_of_a_job_is_ever_where_another_user_can_read_it(@TempDir final Path folder) throws Exception {
        final String secret = "secret-" + UUID.randomUUID();
        final SecretSearch search = SecretSearch.start(
                secret, new Accounts().named(lab.owner()).orElseThrow().uid());
        final Set<String> found;
        try {
            final Session.Exit made = asUnprivilegedAgent(
                    folder, "#!/bin/sh\necho \"$SECRET\"; sleep 1\n", Map.of("SECRET", secret), Duration.ofMinutes(2));
            assertThat(made.status()).isZero();
            assertThat(directory.resolve("made")).content().contains(secret);
            final JobSpec spec = submission(lab.owner(), "#!/bin/sh\necho \"$SECRET\" >secret; sleep 1\n")
                    .spec()
                    .withEnvironment(Map.of("SECRET", secret));
            final JobKey job = slurm.submit(new Submission(
                            attempt(46),
                            lab.owner(),
                            spec,
                            directory.toString(),
                            Map.of(),
                            null,
                            authority(46, spec, directory)))
                    .get();
            slurm.get(Holding.class).release(job, HoldKind.SUBMISSION).get();
            slurm.get(Starting.class).start(job).get();
            lab.until("the end of the job", () -> slurm.observe().get().jobs().isEmpty());
            assertThat(directory.resolve("secret")).hasContent(secret);
        } finally {
            found = search.stop();
        }
        assertThat(found).isEmpty();
    }

    private Session.Exit asUnprivilegedAgent(final Path folder, final String script, final Duration limit)
            throws Exception {
        return asUnprivilegedAgent(folder, script, Map.of("NAME", "x'; $(id)"), limit);
    }

    /** A session as the agent starts it, but in a process of the unprivileged user. */
    private Session.Exit asUnprivilegedAgent(
            final Path folder, final String script, final Map<String, String> variables, final Duration limit)
            throws Exception {
        lab.asRoot("chmod", "711", folder.toString()).get();
        final Path file = directory.resolve(".millrace-" + attempt(41) + ".make");
        Files.writeString(file, script);
        lab.asRoot("chmod", "700", file.toString()).get();
        lab.asRoot("chown", lab.owner().value(), file.toString()).get();
        final Accounts accounts = new Accounts();
        final AttemptId attempt = attempt(41);
        final JobSpec spec = new JobSpec(
                "job",
                "#!/bin/sh\n",
                script,
                Resources.cores(1),
                Duration.ofMinutes(10),
                null,
                null,
                variables,
                new CheckpointMethod.None(),
                false);
        final Account owner = accounts.named(lab.owner()).orElseThrow();
        final String made = directory.resolve("made").toString();
        final String step = "./.millrace-" + attempt + ".make";
        final Program program = new Program(
                List.of(step),
                Helper.signals(owner),
                variables,
                Helper.request(
                        lab.authority(
                                Authority.Kind.MAKE, attempt, lab.owner(), spec, lab.cluster(), directory.toString()),
                        owner,
                        directory.toString(),
                        limit,
                        Sessions.become(directory.toString(), made, Program.BaseEnvironment.LOGIN, List.of(step)),
                        variables),
                Program.BaseEnvironment.LOGIN,
                directory.toString(),
                made,
                limit);
        final Sessions sessions = new Sessions(folder.resolve("bin"));
        final Path run = folder.resolve("run-" + limit.toSeconds());
        sessions.prepare(run, program);
        lab.asRoot("chown", "-R", "millrace", run.toString()).get();
        lab.as(UserName.of("millrace"), sessions.argv(run, program).toArray(String[]::new))
                .get();
        return new Session(run).exit().orElseThrow();
    }

    @Test
    void trees_are_copied_as_their_owner() throws Exception {
        final Path root = lab.dir().resolve("staging");
        final Path source = directory.resolve("tree '$(id)");
        lab.as(lab.owner(), "mkdir", "-p", source + "/größe").get();
        lab.as(lab.owner(), "install", "-m", "600", "/etc/hostname", source + "/größe/private")
                .get();
        final TransferId transfer = TransferId.of("01HZZZZZZZ0000000000000045.1/upload");
        final Path target = root.resolve(lab.owner() + "/01HZZZZZZZ0000000000000045.1");
        final Runner runner = UnprivilegedUser.runner(new ProcessRunner(new Accounts()), UserName.of("millrace"));

        final Result result = new TreeCopies(
                        (user, authority) -> runner.as(user, authority.on(lab.cluster())),
                        TransferSettings.of(root.toString(), null))
                .copy(new Action.CopyTree(
                        transfer,
                        lab.owner(),
                        new Place(ClusterId.of("elsewhere"), null, source.toString()),
                        new Place(lab.cluster(), null, target.toString()),
                        null,
                        null,
                        null,
                        lab.signature(
                                attempt(45),
                                lab.owner(),
                                submission(lab.owner(), "#!/bin/sh\n").spec(),
                                ClusterId.of("elsewhere"),
                                source.toString())));

        assertThat(result).isInstanceOf(Result.Done.class);
        final Path copy = target.resolve("größe/private");
        assertThat(copy).hasSameTextualContentAs(Path.of("/etc/hostname"));
        assertThat(Files.getOwner(copy).getName()).isEqualTo(lab.owner().value());
    }

    @Test
    void the_shipped_sudo_rule_is_valid() {
        lab.asRoot(
                        "visudo",
                        "--check",
                        "--strict",
                        "--file=" + SlurmLab.root().resolve("deploy/agent/sudoers.d/millrace"))
                .get();
    }

    private void hostileTextStaysText(final WorkloadManager slurm) throws Exception {
        final Path canary = lab.dir().resolve("canary");
        final String hostile =
                "x'; touch " + canary + "; $(touch " + canary + ") `touch " + canary + "` \"\n--uid=0 %j";
        final Path odd = lab.directory().resolve("odd '; $(touch canary) %j \"größe\"");
        lab.as(lab.owner(), "mkdir", "-p", odd.toString()).get();
        final JobSpec spec = new JobSpec(
                hostile,
                "#!/bin/sh\nprintf %s \"$TEXT\" >text\npwd >where\nid -u >who\n",
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                null,
                ProjectName.of("lab"),
                Map.of("TEXT", hostile),
                new CheckpointMethod.None(),
                false);
        final JobKey job = slurm.submit(new Submission(
                        GlobalJobId.of("01HZZZZZZZ0000000000000043").attempt(1),
                        lab.owner(),
                        spec,
                        odd.toString(),
                        Map.of(),
                        "0026",
                        authority(43, spec, odd)))
                .get();
        assertThat(lab.observed(job.id().local()).name()).isEqualTo(hostile);
        assertThat(lab.observed(job.id().local()).owner()).isEqualTo(lab.owner());
        slurm.get(Holding.class).release(job, HoldKind.SUBMISSION).get();
        slurm.get(Starting.class).start(job).get();
        lab.until("the end of the job", () -> slurm.observe().get().jobs().isEmpty());

        assertThat(Files.readString(odd.resolve("text"))).isEqualTo(hostile);
        assertThat(Files.readString(odd.resolve("where"))).isEqualTo(odd + "\n");
        assertThat(Files.readString(odd.resolve("who"))).isNotEqualTo("0\n");
        final Path output = odd.resolve("millrace-01HZZZZZZZ0000000000000043.out");
        assertThat(output).isEmptyFile();
        for (final Path file : List.of(output, odd.resolve("text"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .as(file.toString())
                    .isEqualTo("rw-r-----");
        }
        for (final JobSpec refused : List.of(
                with(spec, PartitionName.of("main;touch"), null), with(spec, null, ProjectName.of("nowhere+x")))) {
            assertThat(slurm.submit(new Submission(
                            GlobalJobId.of("01HZZZZZZZ0000000000000044").attempt(1),
                            lab.owner(),
                            refused,
                            odd.toString(),
                            Map.of(),
                            null,
                            authority(44, refused, odd))))
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind())
                                    .as(trouble.reason())
                                    .isEqualTo(Answer.Kind.REJECTED));
        }
        assertThat(slurm.get(Signalling.class).signal(job, "USR1;touch " + canary))
                .isInstanceOf(Answer.Trouble.class);
        assertThat(canary).doesNotExist();
        assertThat(odd.resolve("canary")).doesNotExist();
    }

    private static JobSpec with(
            final JobSpec spec, final @Nullable PartitionName partition, final @Nullable ProjectName project) {
        return new JobSpec(
                spec.name(),
                spec.script(),
                null,
                spec.resources(),
                spec.walltime(),
                partition,
                project,
                spec.environment(),
                spec.checkpoint(),
                false);
    }

    private void level(final String level) {
        lab.asRoot("sacctmgr", "-i", "modify", "user", "where", "name=millrace", "set", "adminlevel=" + level)
                .get();
    }

    private JobKey submit(final String script) {
        return slurm.submit(submission(lab.owner(), script)).get();
    }

    private Submission submission(final UserName owner, final String script) {
        final JobSpec spec = new JobSpec(
                "unprivileged",
                script,
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return new Submission(
                attempt(42),
                owner,
                spec,
                directory.toString(),
                Map.of(),
                null,
                lab.authority(Authority.Kind.SUBMIT, attempt(42), owner, spec, lab.cluster(), directory.toString()));
    }

    private static AttemptId attempt(final int number) {
        return GlobalJobId.of("01HZZZZZZZ00000000000000" + number).attempt(1);
    }

    private Authority authority(final int number, final JobSpec spec, final Path in) {
        return lab.authority(Authority.Kind.SUBMIT, attempt(number), lab.owner(), spec, lab.cluster(), in.toString());
    }
}
