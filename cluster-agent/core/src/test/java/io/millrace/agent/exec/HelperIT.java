package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.HelperProgram.Ran;
import io.millrace.agent.identity.TestSigner;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.session.Program;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.Place;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of root that becomes an owner, built from {@code deploy/agent/helper} and run as root with forged and good requests. */
class HelperIT {

    private static final String OWNER = HelperProgram.OWNER;
    private static final String STRANGER = HelperProgram.STRANGER;
    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01JQZ8Y6T0000000000000000A").attempt(1);
    private static final Instant SOON = Instant.now().plusSeconds(600);
    private static final String MAKE = "#!/bin/sh\necho \"$SECRET by $(id -u) in $(pwd)\"\n";
    private static final Map<String, String> VARIABLES = Map.of("SECRET", "x y", "A", "1");

    @TempDir
    static Path folder;

    static HelperProgram helper;
    private static TestSigner signer;
    private static Path home;
    static Path run;

    @BeforeAll
    static void build() throws Exception {
        helper = HelperProgram.build(folder, "alpha");
        signer = helper.signer();
        home = helper.home();
        run = helper.run();
    }

    @AfterAll
    static void removeAccounts() throws Exception {
        if (helper != null) {
            helper.close();
        }
    }

    private static Ran sh(final String script) throws IOException, InterruptedException {
        return HelperProgram.sh(script);
    }

    private static Ran run(final byte[] input, final String... argv) throws IOException, InterruptedException {
        return HelperProgram.start(input, argv);
    }

    private static Ran become(final byte[] request, final String... input) throws Exception {
        return helper.become(request, String.join("", input).getBytes(StandardCharsets.UTF_8));
    }

    private static JobSpec spec() {
        return new JobSpec(
                "job",
                "#!/bin/sh\n",
                MAKE,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                VARIABLES,
                new CheckpointMethod.None(),
                false);
    }

    /** The script that the agent gives to sbatch. */
    static String script(final String directory) {
        return SubmissionScript.of(
                        WlmType.SLURM,
                        WlmFeatures.all("Slurm"),
                        ALPHA,
                        new Submission(ATTEMPT, UserName.of(OWNER), spec(), directory))
                .script("n0");
    }

    private static String signed(final String owner, final ClusterId cluster, final String directory) {
        return signed(signer, owner, ALPHA, cluster, directory, SOON);
    }

    private static String signed(
            final TestSigner by,
            final String owner,
            final ClusterId issuer,
            final ClusterId cluster,
            final String directory,
            final Instant until) {
        return by.submission(
                new Authorization.Origin(
                        UserName.of(owner), issuer, ATTEMPT.job(), cluster, directory, FileFilters.NONE),
                spec(),
                until,
                until);
    }

    static String signed() {
        return signed(OWNER, ALPHA, run.toString());
    }

    private static byte[] request(
            final Authority.Kind kind,
            final String signature,
            final String account,
            final int uid,
            final String directory,
            final Map<String, String> variables,
            final String... argv) {
        return Helper.request(
                Authority.of(kind, signature, ATTEMPT).on(ALPHA),
                new Account(UserName.of(account), uid, uid, "/", "/bin/sh"),
                directory,
                Duration.ofSeconds(10),
                List.of(argv),
                variables);
    }

    static byte[] request(final Authority.Kind kind, final String signature, final String... argv) {
        return request(kind, signature, OWNER, uid(OWNER), run.toString(), Map.of(), argv);
    }

    private static int uid(final String name) {
        return new Accounts().named(UserName.of(name)).orElseThrow().uid();
    }

    private static void refused(final byte[] request, final String because) throws Exception {
        final Ran ran = become(request, script(run.toString()));
        assertThat(ran.text()).startsWith("millrace-become: ").contains(because);
        assertThat(ran.exit()).isEqualTo(77);
    }

    @Test
    void the_sudo_rule_names_only_the_helper() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/sbin/visudo")), "needs sudo");
        final Path rule = Path.of("../../deploy/agent/sudoers.d/millrace").toRealPath();
        assertThat(run(new byte[0], "visudo", "--check", "--strict", "--file=" + rule)
                        .exit())
                .isZero();
        assertThat(Files.readAllLines(rule).stream()
                        .filter(line -> !line.startsWith("#") && !line.startsWith("Defaults") && !line.isBlank()))
                .allMatch(line -> line.startsWith("millrace ALL = (root) NOPASSWD: " + Helper.PROGRAM));
    }

    @Test
    void a_signed_submission_runs_the_submit_command_as_its_owner_in_its_directory() throws Exception {
        final Ran ran = become(
                request(
                        Authority.Kind.SUBMIT,
                        signed(),
                        OWNER,
                        uid(OWNER),
                        run.toString(),
                        Map.of("SLURM_UMASK", "0027", "SLURM_CONF", "/etc/slurm/slurm.conf"),
                        "sbatch",
                        "--hold",
                        "--job-name=a b;$(id)"),
                script(run.toString()));
        assertThat(ran.exit()).isZero();
        assertThat(ran.text())
                .startsWith(uid(OWNER) + "\n" + run + "\n")
                .contains(
                        "SLURM_UMASK=0027", "HOME=" + home, "args: --hold --job-name=a b;$(id)", script(run.toString()))
                .doesNotContain("SUDO");
    }

    @Attack("the agent's account asks the helper for a command with a forged, expired or foreign signature")
    @Test
    void no_command_runs_without_a_valid_signature() throws Exception {
        final String[] sbatch = {"sbatch", "--hold"};
        final String good = signed();
        refused(request(Authority.Kind.SUBMIT, "", sbatch), "no signature");
        refused(request(Authority.Kind.SUBMIT, good.substring(0, good.length() - 6) + "AAAAAA", sbatch), "not valid");
        refused(request(Authority.Kind.SUBMIT, "A" + good.substring(1), sbatch), "not valid");
        refused(
                request(
                        Authority.Kind.SUBMIT,
                        signed(new TestSigner("key"), OWNER, ALPHA, ALPHA, run.toString(), SOON),
                        sbatch),
                "not valid");
        refused(
                request(
                        Authority.Kind.SUBMIT,
                        signed(
                                signer,
                                OWNER,
                                ALPHA,
                                ALPHA,
                                run.toString(),
                                Instant.now().minusSeconds(1)),
                        sbatch),
                "expired");
        refused(
                request(
                        Authority.Kind.SUBMIT,
                        signed(signer, OWNER, ClusterId.of("gamma"), ALPHA, run.toString(), SOON),
                        sbatch),
                "not accepted");
        refused(request(Authority.Kind.SUBMIT, signed("bob", ALPHA, run.toString()), sbatch), "not for the user");
    }

    @Attack("the agent's account asks the helper to become root, a system account, or a user outside the group")
    @Test
    void only_members_of_the_group_are_become() throws Exception {
        for (final String account : List.of("root", "nobody", "daemon", STRANGER)) {
            final String signature = signed(account, ALPHA, "/tmp");
            refused(
                    request(Authority.Kind.SUBMIT, signature, account, uid(account), "/tmp", Map.of(), "sbatch"),
                    "account '" + account + "' is");
        }
        refused(
                request(Authority.Kind.SUBMIT, signed(), OWNER, uid(STRANGER), run.toString(), Map.of(), "sbatch"),
                "does not have uid");
        refused(
                request(Authority.Kind.SUBMIT, signed(), OWNER, 0, run.toString(), Map.of(), "sbatch"),
                "does not have uid");
        refused(request(Authority.Kind.SUBMIT, signed(), "no-such-one", 4711, "/tmp", Map.of(), "sbatch"), "not found");
    }

    @Attack("the agent's account runs a signed job in another directory, or below a symbolic link in the staging"
            + " folder")
    @Test
    void only_the_directory_of_the_job_is_entered() throws Exception {
        for (final String other : List.of("/tmp", home.toString(), run + "/..", run + "/", "/")) {
            if (!other.equals("/")) {
                refused(
                        request(
                                Authority.Kind.SUBMIT,
                                signed(),
                                OWNER,
                                uid(OWNER),
                                other,
                                Map.of(),
                                "sbatch",
                                "--hold"),
                        "is not the directory of the job");
            }
        }
        final String elsewhere = signed(OWNER, ClusterId.of("beta"), "/data/run");
        final Path staged = folder.resolve("staging/" + OWNER + "/" + ATTEMPT);
        assertThat(become(request(
                                Authority.Kind.SUBMIT,
                                elsewhere,
                                OWNER,
                                uid(OWNER),
                                "/",
                                Map.of(),
                                "mkdir",
                                "-p",
                                "-m",
                                "0700",
                                "--",
                                staged.toString()))
                        .exit())
                .isZero();
        assertThat(become(
                                request(
                                        Authority.Kind.SUBMIT,
                                        elsewhere,
                                        OWNER,
                                        uid(OWNER),
                                        staged.toString(),
                                        Map.of(),
                                        "sbatch",
                                        "--hold"),
                                script(staged.toString()))
                        .text())
                .contains(staged.toString());
        sh("rm -r " + staged + " && ln -s " + home + " " + staged);
        refused(
                request(
                        Authority.Kind.SUBMIT,
                        elsewhere,
                        OWNER,
                        uid(OWNER),
                        staged.toString(),
                        Map.of(),
                        "sbatch",
                        "--hold"),
                "cannot enter");
        Files.delete(staged);
    }

    private static Action.CopyTree upload(final Path data, final Path staged) {
        final ClusterId beta = ClusterId.of("beta");
        return new Action.CopyTree(
                TransferId.of(ATTEMPT + "/upload"),
                UserName.of(OWNER),
                new Place(beta, null, data.toString()),
                new Place(ALPHA, null, staged.toString()),
                null,
                null,
                null,
                signed(OWNER, beta, data.toString()));
    }

    private static TreeCopies copies(final Function<Authority, Runner> runner) {
        return new TreeCopies(
                (user, authority) -> runner.apply(authority.on(ALPHA)), TransferSettings.of(folder + "/staging", null));
    }

    @Attack("the agent's account puts a link in the place of a user's staging folder, so that a copy replaces"
            + " authorized_keys")
    @Test
    void a_copy_does_not_arrive_where_the_agent_has_made_a_link() throws Exception {
        final Path elsewhere = folder.resolve("elsewhere");
        final Path keys = home.resolve(".ssh/authorized_keys");
        final Path staging = folder.resolve("staging");
        final Path data = elsewhere.resolve("data");
        sh("""
        mkdir -p %1$s/evil %1$s/data && echo of the attacker >%1$s/data/authorized_keys && chmod -R a+rX %1$s
        ln -s %2$s %1$s/evil/%3$s && chown -hR daemon %1$s && mkdir -p -m 0700 %2$s && chown %4$s %2$s
        """.formatted(elsewhere, keys.getParent(), ATTEMPT, OWNER));
        try {
            for (final String root : List.of("chown daemon: %s; chmod 0711 %1$s", "chown root: %s; chmod 1777 %1$s")) {
                sh(root.formatted(staging)
                        + "; rm -rf %1$s/%2$s; ln -s %3$s %1$s/%2$s; chown -h daemon %1$s/%2$s"
                                .formatted(staging, OWNER, elsewhere.resolve("evil")));
                final Result result = copies(authority -> new WithoutFolders(new ThroughHelper(authority)))
                        .copy(upload(data, staging.resolve(OWNER + "/" + ATTEMPT)));
                assertThat(result)
                        .isInstanceOfSatisfying(
                                Result.Failed.class,
                                failed -> assertThat(failed.reason())
                                        .containsAnyOf("must belong to root", "is not a folder of '" + OWNER));
                assertThat(keys).doesNotExist();
            }
        } finally {
            sh("rm -rf %s %s/%s".formatted(elsewhere, staging, OWNER));
        }
    }

    @Attack("a user exchanges the directory of a job, or its copy, for links to folders of others while the helper"
            + " works in it")
    @Test
    void folders_that_become_links_lead_to_nothing_that_the_user_cannot_change() throws Exception {
        final Path precious = folder.resolve("precious");
        final Path staged = folder.resolve("staging/" + OWNER + "/" + ATTEMPT);
        final Path own = home.resolve("exchanged");
        final Path data = own.resolve("data");
        final Path job = own.resolve("job");
        sh("""
        mkdir -p %1$s %2$s %2$s/job %2$s/data && echo in >%2$s/data/result && chown -R %3$s %2$s
        for folder in root %4$s; do
            mkdir %1$s/$folder && echo "secret of $folder" >%1$s/$folder/result
            chmod 600 %1$s/$folder/result && chown -R $folder %1$s/$folder
        done
        ln -s %1$s/root %2$s/link && ln -s %1$s/%4$s %2$s/link2 && chown -h %3$s %2$s/link*
        """.formatted(precious, own, OWNER, STRANGER));
        final String before = listing(precious);
        final String signature = signed(OWNER, ALPHA, job.toString());
        final TreeCopies copies = copies(ThroughHelper::new);
        long done = 0;
        long refused = 0;
        long copied = 0;
        try (NameExchange first = NameExchange.start(folder, OWNER, job, own.resolve("link"));
                NameExchange second = NameExchange.start(folder, OWNER, staged, own.resolve("link2"))) {
            for (int i = 0; i < 25; i++) {
                final List<byte[]> requests = List.of(
                        request(
                                Authority.Kind.SUBMIT,
                                signature,
                                OWNER,
                                uid(OWNER),
                                job.toString(),
                                Map.of(),
                                "sbatch",
                                "--hold"),
                        request(
                                Authority.Kind.WRITE_MAKE,
                                signature,
                                OWNER,
                                uid(OWNER),
                                job.toString(),
                                Map.of(),
                                "write-make"));
                for (final byte[] request : requests) {
                    final Ran ran = become(request, request == requests.getFirst() ? script(job.toString()) : MAKE);
                    done += ran.exit() == 0 ? 1 : 0;
                    refused += ran.exit() != 0 ? 1 : 0;
                    assertThat(ran.text()).doesNotContain("secret");
                }
                copied += copies.copy(upload(data, staged)) instanceof Result.Done ? 1 : 0;
                copies.remove(new Action.RemoveCopy(
                        ATTEMPT,
                        UserName.of(OWNER),
                        staged.toString(),
                        signed(OWNER, ClusterId.of("beta"), data.toString())));
            }
            assertThat(first.stop()).as("exchanges").isGreaterThan(100);
            assertThat(second.stop()).as("exchanges").isGreaterThan(100);
            System.out.printf("%d commands ran, %d were refused, %d copies were complete%n", done, refused, copied);
            assertThat(List.of(done, refused, copied)).allMatch(count -> count > 0);
        }
        assertThat(listing(precious)).isEqualTo(before);
        sh("rm -rf %s %s".formatted(own, staged.getParent()));
    }

    /** Names, owners, modes, sizes, times and contents. */
    private static String listing(final Path tree) throws Exception {
        return sh("find %1$s -printf '%%p %%u %%g %%m %%s %%T@ %%C@\\n'; cat %1$s/*/*".formatted(tree))
                .text();
    }

    /** An agent that leaves out the check of the folders. */
    private record WithoutFolders(Runner helper) implements Runner {

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            if (command.argv().contains("folders")) {
                helper.run(new Permitted(
                        "mkdir", "-p", "-m", "0700", "--", command.argv().getLast()));
                return command.read(CommandResult.of(0, "", ""));
            }
            return helper.run(command);
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    private record Permitted(List<String> argv) implements CommandLine<String> {
        Permitted(final String... words) {
            this(List.of(words));
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            return Answer.ok(result.errorText());
        }
    }

    @Attack("the agent's account runs other programs and options than those of the list")
    @Test
    void only_listed_commands_run() throws Exception {
        for (final List<String> argv : List.of(
                List.of("id"),
                List.of("bash", "-c", "id"),
                List.of("/bin/sh"),
                List.of("env", "id"),
                List.of("sbatch", "--wrap=id"),
                List.of("sbatch", "--wrap", "id"),
                List.of("sbatch", "/tmp/evil.sh"),
                List.of(folder + "/sbatch", "--hold"),
                List.of("mkdir", "-p", "-m", "0700", "--", "/home/x"),
                List.of("dd", "status=none", "of=" + home + "/.bash_profile"),
                List.of("rsync", "-e", "sh -c id", "--", "x:/y/", run + "/"))) {
            for (final Authority.Kind kind :
                    List.of(Authority.Kind.SUBMIT, Authority.Kind.COPY, Authority.Kind.REMOVE, Authority.Kind.CHECK)) {
                final boolean check = kind == Authority.Kind.CHECK;
                final byte[] request = request(
                        kind,
                        signed(),
                        OWNER,
                        uid(OWNER),
                        check ? "/" : run.toString(),
                        Map.of(),
                        argv.toArray(String[]::new));
                refused(request, kind == Authority.Kind.REMOVE ? "is the directory of the job" : "does not permit");
            }
        }
    }

    @Attack("a copy writes .bash_profile or authorized_keys into a home directory through the helper")
    @Test
    void no_copy_goes_into_a_home_directory() throws Exception {
        final String signature = signed(OWNER, ALPHA, home.toString());
        refused(
                request(
                        Authority.Kind.COPY,
                        signature,
                        OWNER,
                        uid(OWNER),
                        "/",
                        Map.of(),
                        "test",
                        "-d",
                        home.toString(),
                        "-a",
                        "-w",
                        home.toString(),
                        "-a",
                        "-x",
                        home.toString()),
                "home directory");
        final Path link = run.resolve("link");
        sh("ln -sfn " + home + " " + link);
        refused(
                request(
                        Authority.Kind.COPY,
                        signed(OWNER, ALPHA, link.toString()),
                        OWNER,
                        uid(OWNER),
                        "/",
                        Map.of(),
                        "mkdir",
                        "-p",
                        "-m",
                        "0700",
                        "--",
                        link + "/.ssh"),
                "home directory");
        Files.delete(link);
    }

    @Attack("LD_PRELOAD, PATH, BASH_ENV or another configuration of Slurm is passed to a command of an owner")
    @Test
    void only_permitted_variables_are_set() throws Exception {
        for (final Map.Entry<String, String> variable : Map.of(
                        "LD_PRELOAD", "/tmp/x.so",
                        "PATH", "/tmp",
                        "BASH_ENV", "/tmp/x",
                        "SLURM_CONF", "/tmp/slurm.conf",
                        "SLURM_UMASK", "/tmp/x")
                .entrySet()) {
            refused(
                    request(
                            Authority.Kind.SUBMIT,
                            signed(),
                            OWNER,
                            uid(OWNER),
                            run.toString(),
                            Map.of(variable.getKey(), variable.getValue()),
                            "sbatch",
                            "--hold"),
                    "does not permit this value of variable '" + variable.getKey() + "'");
        }
    }

    @Attack("a request is too long, broken off, or has other fields")
    @Test
    void a_malformed_request_is_refused() throws Exception {
        final byte[] good = request(Authority.Kind.SUBMIT, signed(), "sbatch", "--hold");
        final String text = new String(good, StandardCharsets.ISO_8859_1).substring(8);
        for (final String bad : List.of(
                "",
                "0000",
                "99999999",
                "-0000001x",
                "00000001x",
                "00000002x\0",
                "%08d".formatted(text.length() + 2) + text + "x\0",
                "%08d".formatted(text.length() + 10) + text,
                "%08d".formatted(text.length() - 1) + text,
                "%08d".formatted(text.length()) + "2" + text.substring(1),
                "%08d".formatted(text.length()) + text.replace("\0002\0sbatch", "\0009\0sbatch"),
                "%08d".formatted(text.length()) + text.replace("\0002\0sbatch", "\0000\0sbatch"))) {
            final Ran ran = run(bad.getBytes(StandardCharsets.ISO_8859_1), folder + "/src/millrace-become");
            assertThat(ran.exit()).as(bad).isEqualTo(77);
        }
        assertThat(run(new byte[0], folder + "/src/millrace-become", "x").exit())
                .isEqualTo(77);
    }

    @Attack("the signature of a dry run or of a request to read a file is used to run a command, and vice versa")
    @Test
    void a_signature_counts_only_for_its_kind() throws Exception {
        final Authorization.Origin origin = new Authorization.Origin(
                UserName.of(OWNER), ALPHA, ATTEMPT.job(), ALPHA, run.toString(), FileFilters.NONE);
        final String dry = signer.dryRun(origin, spec(), SOON);
        final String read = signer.sign(new FileRequest(
                        "id",
                        ALPHA,
                        UserName.of(OWNER),
                        ATTEMPT.job(),
                        run.toString(),
                        "results",
                        0L,
                        10,
                        null,
                        UserName.of(OWNER),
                        SOON,
                        ""))
                .signature();
        for (final Authority.Kind kind :
                List.of(Authority.Kind.SUBMIT, Authority.Kind.MAKE, Authority.Kind.WRITE_MAKE, Authority.Kind.COPY)) {
            refused(request(kind, dry, "sbatch", "--hold"), "something else");
            refused(request(kind, read, "sbatch", "--hold"), "something else");
        }
        refused(request(Authority.Kind.READ, signed(), "stat"), "something else");
        sh("echo 42 >" + run + "/results");
        final String[] dd = {
            "dd",
            "if=" + run + "/results",
            "iflag=nofollow,nonblock,fullblock,skip_bytes,count_bytes",
            "bs=64K",
            "skip=0",
            "count=10",
            "status=none"
        };
        assertThat(become(request(Authority.Kind.READ, read, OWNER, uid(OWNER), "/", Map.of(), dd)))
                .isEqualTo(new Ran(0, "42\n"));
        dd[1] = "if=" + home + "/.bashrc";
        refused(request(Authority.Kind.READ, read, OWNER, uid(OWNER), "/", Map.of(), dd), "does not permit");
    }

    @Attack("another make step than the signed one is written and run")
    @Test
    void only_the_signed_make_step_runs_with_the_signed_variables() throws Exception {
        final byte[] write = request(Authority.Kind.WRITE_MAKE, signed(), "write-make");
        assertThat(become(write, MAKE + "rm -rf ~\n").text()).contains("make step is not the one that was signed");
        assertThat(run.resolve(".millrace-" + ATTEMPT + ".make")).doesNotExist();
        assertThat(become(write, MAKE).exit()).isZero();
        final List<String> argv = new ArrayList<>(Sessions.become(
                run.toString(),
                run + "/out",
                Program.BaseEnvironment.LOGIN,
                List.of("./.millrace-" + ATTEMPT + ".make")));
        refused(
                request(
                        Authority.Kind.MAKE,
                        signed(),
                        OWNER,
                        uid(OWNER),
                        run.toString(),
                        Map.of("SECRET", "other"),
                        argv.toArray(String[]::new)),
                "variables are not those that were signed");
        final Ran ran = become(request(
                Authority.Kind.MAKE,
                signed(),
                OWNER,
                uid(OWNER),
                run.toString(),
                VARIABLES,
                argv.toArray(String[]::new)));
        assertThat(ran.text()).isEmpty();
        assertThat(run.resolve("out")).hasContent("x y by " + uid(OWNER) + " in " + run);
        argv.set(argv.size() - 1, "./evil");
        refused(
                request(
                        Authority.Kind.MAKE,
                        signed(),
                        OWNER,
                        uid(OWNER),
                        run.toString(),
                        VARIABLES,
                        argv.toArray(String[]::new)),
                "does not permit");
    }

    @Attack("the agent's account replaces the configuration or the keys of the helper")
    @Test
    void only_files_of_root_are_read() throws Exception {
        final byte[] request = request(Authority.Kind.SUBMIT, signed(), "sbatch", "--hold");
        for (final String file : List.of("become.conf", "keys.pem", "src/commands", "src/prologue")) {
            for (final String change : List.of("chmod g+w", "chown " + OWNER)) {
                sh(change + " " + folder + "/" + file);
                refused(request, "must be a file of root");
                sh("chown root " + folder + "/" + file + "; chmod go-w " + folder + "/" + file);
            }
        }
        assertThat(become(request, script(run.toString())).exit()).isZero();
    }

    /** Runs each command as the agent does, but without sudo. */
    private record ThroughHelper(Authority authority) implements Runner {

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            try {
                final Ran ran = become(
                        Helper.request(
                                authority,
                                new Account(UserName.of(OWNER), uid(OWNER), uid(OWNER), "/", "/bin/sh"),
                                command.directory() == null ? "/" : command.directory(),
                                command.limit(),
                                command.argv(),
                                command.environment()),
                        new String(command.input(), StandardCharsets.UTF_8));
                return ran.exit() == 77
                        ? Answer.trouble(Answer.Kind.DENIED, ran.text())
                        : command.read(CommandResult.of(ran.exit(), ran.text(), ""));
            } catch (final Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    @Test
    void the_files_of_a_job_are_copied_to_and_from_another_cluster_and_removed() throws Exception {
        final ClusterId beta = ClusterId.of("beta");
        final UserName owner = UserName.of(OWNER);
        final Path data = home.resolve("data");
        final Path staged = folder.resolve("staging/" + OWNER + "/" + ATTEMPT);
        final Path results = folder.resolve("other/" + OWNER + "/" + ATTEMPT);
        sh("mkdir -p %1$s %2$s && echo in >%1$s/größe && echo out >%2$s/result && chown -R %3$s %1$s %2$s"
                .formatted(data, results, OWNER));
        final TreeCopies copies = new TreeCopies(
                (user, authority) -> new ThroughHelper(authority.on(ALPHA)),
                TransferSettings.of(folder + "/staging", null));
        final String signature = signed(OWNER, beta, data.toString());

        final Result up = copies.copy(new Action.CopyTree(
                TransferId.of(ATTEMPT + "/upload"),
                owner,
                new Place(beta, null, data.toString()),
                new Place(ALPHA, null, staged.toString()),
                null,
                null,
                null,
                signature));
        assertThat(up).isInstanceOf(Result.Done.class);
        assertThat(staged.resolve("größe")).hasContent("in");

        final Result down = copies.copy(new Action.CopyTree(
                TransferId.of(ATTEMPT + "/download"),
                owner,
                new Place(beta, null, results.toString()),
                new Place(ALPHA, null, run.toString()),
                Instant.now().minusSeconds(3600),
                null,
                null,
                signed()));
        assertThat(down).isInstanceOf(Result.Done.class);
        assertThat(run.resolve("result")).hasContent("out");

        final Result evil = copies.copy(new Action.CopyTree(
                TransferId.of(ATTEMPT + "/download"),
                owner,
                new Place(beta, null, "/tmp/evil"),
                new Place(ALPHA, null, run.toString()),
                null,
                null,
                null,
                signed()));
        assertThat(evil)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("does not permit"));

        assertThat(copies.remove(new Action.RemoveCopy(ATTEMPT, owner, staged.toString(), signature)))
                .isInstanceOf(Result.Done.class);
        assertThat(staged).doesNotExist();
    }
}
