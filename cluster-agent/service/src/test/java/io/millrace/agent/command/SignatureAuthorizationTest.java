package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.FakeDeciders;
import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.identity.SignedPlace;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.identity.TestSigner;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.ProjectName;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.command.Action;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.FilterRule;
import io.millrace.model.transfer.Place;
import io.millrace.testing.Attack;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Job of anna on alpha, in /data/anna/run; its copy on beta is in /staging/anna/ATTEMPT. */
class SignatureAuthorizationTest {

    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final Instant LATE = NOW.plus(Duration.ofDays(31));
    private static final Instant OVER = NOW.plus(Duration.ofDays(401));
    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final ClusterId BETA = ClusterId.of("beta");
    private static final UserName ANNA = UserName.of("anna");
    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);
    private static final String HOME = "/data/anna/run";
    private static final String STAGED = "/staging/anna/" + ATTEMPT;
    private static final JobSpec SPEC = FakeDeciders.spec("#!/bin/sh\n./solver\n", 1);
    private static final List<FilterRule> INPUTS = List.of(FilterRule.of("- *.tmp"));
    private static final List<FilterRule> RESULTS = List.of(FilterRule.of("- core.*"));

    @TempDir
    Path folder;

    private final TestSigner signer = new TestSigner("key");
    private SubmissionSignature signatures;

    @BeforeEach
    void keys() throws Exception {
        final Path file = folder.resolve("submission-keys.pub.json");
        TestSigner.publish(file, signer);
        signatures = new SubmissionSignature(file);
    }

    private static OwnerAccounts owners(final ClusterId cluster, final ClusterId... accepted) {
        final SiteNames names = new SiteNames(SiteMappingObserved.none(cluster).accepting(Set.of(accepted)));
        return new OwnerAccounts(TestAccounts.labels(), new ReplayRunner(""), true, () -> names, 1);
    }

    private SignatureAuthorization on(final ClusterId cluster) {
        return new SignatureAuthorization(signatures, owners(cluster, ALPHA), new SignedPlace(cluster, "/staging"));
    }

    private static Authorization.Origin origin(final String directory) {
        return new Authorization.Origin(ANNA, ALPHA, ATTEMPT.job(), ALPHA, directory, new FileFilters(INPUTS, RESULTS));
    }

    private String signed() {
        return signed(HOME);
    }

    private String signed(final String directory) {
        return signer.submission(
                origin(directory), SPEC, NOW.plus(Duration.ofDays(30)), NOW.plus(Duration.ofDays(400)));
    }

    private static Action.Submit submit(final String owner, final String directory, final String signature) {
        return new Action.Submit(ATTEMPT, UserName.of(owner), SPEC, directory, signature);
    }

    private Action.CopyTree upload(
            final Place from, final Place to, final List<FilterRule> rules, final String signature) {
        return copy(ATTEMPT + "/upload", ANNA, from, to, rules, signature);
    }

    private static Action.CopyTree copy(
            final String id,
            final UserName owner,
            final Place from,
            final Place to,
            final List<FilterRule> rules,
            final String signature) {
        return new Action.CopyTree(TransferId.of(id), owner, from, to, null, rules, null, signature);
    }

    private static Place alpha(final String path) {
        return new Place(ALPHA, "data.alpha", path);
    }

    private static Place beta(final String path) {
        return new Place(BETA, "data.beta", path);
    }

    @Test
    void a_signed_job_runs_in_its_directory_and_elsewhere_in_its_staging_directory() {
        assertThat(on(ALPHA).refusal(submit("anna", HOME, signed()), NOW)).isEmpty();
        assertThat(on(BETA).refusal(submit("anna", STAGED, signed()), NOW)).isEmpty();
        assertThat(on(BETA).refusal(new Action.Make(ATTEMPT, ANNA, SPEC, STAGED, signed()), NOW))
                .isEmpty();
    }

    @Attack("a program that can write commands runs a signed script in a directory with its own ./solver")
    @Test
    void no_job_runs_in_another_directory() {
        for (final String other : List.of(
                "/tmp/evil",
                HOME + "/",
                HOME + "/..",
                STAGED,
                "/data/anna/run/../../tmp/evil",
                "/staging/anna/" + ATTEMPT.job().attempt(2))) {
            refused(on(ALPHA).refusal(submit("anna", other, signed()), NOW), "runs in '" + HOME + "'");
            refused(
                    on(ALPHA).refusal(new Action.Make(ATTEMPT, ANNA, SPEC, other, signed()), NOW),
                    "runs in '" + HOME + "'");
        }
        for (final String other : List.of(HOME, "/staging/bob/" + ATTEMPT, "/staging/anna", STAGED + "/../x")) {
            refused(on(BETA).refusal(submit("anna", other, signed()), NOW), "runs in '" + STAGED + "'");
        }
    }

    @Test
    void the_files_of_a_job_are_copied_from_its_directory_and_the_results_back() {
        assertThat(on(BETA).refusal(upload(alpha(HOME), beta(STAGED), INPUTS, signed()), NOW))
                .isEmpty();
        final Action results =
                copy(ATTEMPT + "/download", ANNA, beta("/other-root/anna/" + ATTEMPT), alpha(HOME), RESULTS, signed());
        assertThat(on(ALPHA).refusal(results, NOW)).isEmpty();
        assertThat(on(ALPHA).refusal(results, LATE))
                .as("results come home after a long run")
                .isEmpty();
        refused(on(ALPHA).refusal(results, OVER), "expired");
        assertThat(on(BETA).refusal(new Action.RemoveCopy(ATTEMPT, ANNA, STAGED, signed()), LATE))
                .isEmpty();
    }

    @Attack("an unsigned copy writes .bash_profile and authorized_keys into a victim's home")
    @Test
    void no_copy_is_made_without_a_signature() {
        final String bobs = signer.submission(
                new Authorization.Origin(
                        UserName.of("bob"), ALPHA, ATTEMPT.job(), ALPHA, "/home/bob", FileFilters.NONE),
                SPEC,
                NOW.plusSeconds(99),
                NOW.plusSeconds(99));
        final Action.DryRun other = new Action.DryRun(ATTEMPT, ANNA, SPEC, HOME, dryRun(ALPHA, HOME));
        for (final String signature : List.of("", "signature", bobs, other.signature())) {
            for (final String to : List.of("/home/anna", "/home/anna/.ssh", HOME, STAGED)) {
                for (final ClusterId at : List.of(ALPHA, BETA)) {
                    final Place place = new Place(at, null, to);
                    assertThat(on(at).refusal(
                                            copy(
                                                    ATTEMPT + "/upload",
                                                    ANNA,
                                                    alpha("/tmp/evil"),
                                                    place,
                                                    List.of(),
                                                    signature),
                                            NOW))
                            .isPresent();
                    assertThat(on(at).refusal(new Action.RemoveCopy(ATTEMPT, ANNA, to, signature), NOW))
                            .isPresent();
                }
            }
        }
    }

    @Attack("a signed copy is altered: another source, destination, cluster, owner, attempt or filter")
    @Test
    void no_copy_is_made_that_differs_from_the_signed_one() {
        for (final Place from : List.of(alpha("/tmp/evil"), alpha(HOME + "/.."), beta(HOME), beta("/tmp/evil"))) {
            refused(on(BETA).refusal(upload(from, beta(STAGED), INPUTS, signed()), NOW), "are in alpha:" + HOME);
        }
        for (final String to : List.of("/home/anna", "/home/anna/.ssh", "/staging/anna", STAGED + "/..", HOME)) {
            refused(on(BETA).refusal(upload(alpha(HOME), beta(to), INPUTS, signed()), NOW), "runs in");
        }
        for (final List<FilterRule> rules : List.of(List.<FilterRule>of(), RESULTS)) {
            refused(on(BETA).refusal(upload(alpha(HOME), beta(STAGED), rules, signed()), NOW), "filter rules");
        }
        refused(on(BETA).refusal(upload(alpha(HOME), alpha(STAGED), INPUTS, signed()), NOW), "for 'alpha'");
        for (final String id : List.of("x/upload", "../upload", ATTEMPT.job().attempt(2) + "/upload", "upload")) {
            assertThat(on(BETA).refusal(copy(id, ANNA, alpha(HOME), beta(STAGED), INPUTS, signed()), NOW))
                    .isPresent();
        }
        refused(
                on(BETA).refusal(
                                copy(
                                        ATTEMPT + "/upload",
                                        UserName.of("bob"),
                                        alpha(HOME),
                                        beta(STAGED),
                                        INPUTS,
                                        signed()),
                                NOW),
                "signed for user 'anna'");
        for (final Place from : List.of(
                beta("/tmp/evil"),
                beta("/staging/bob/" + ATTEMPT),
                beta("/staging/x/../anna/" + ATTEMPT),
                beta("/staging/anna/" + ATTEMPT.job().attempt(2)),
                alpha("/staging/anna/" + ATTEMPT))) {
            refused(
                    on(ALPHA).refusal(copy(ATTEMPT + "/download", ANNA, from, alpha(HOME), RESULTS, signed()), NOW),
                    "another cluster");
        }
        refused(
                on(ALPHA).refusal(copy(ATTEMPT + "/download", ANNA, beta(STAGED), alpha(HOME), INPUTS, signed()), NOW),
                "filter rules");
        refused(on(ALPHA).refusal(new Action.RemoveCopy(ATTEMPT, ANNA, HOME, signed()), NOW), "and not a copy");
    }

    @Attack("results of a job that was submitted in the home directory are copied over .bash_profile")
    @Test
    void no_copy_writes_into_a_home_directory() {
        final String home = TestAccounts.labels().named(ANNA).orElseThrow().home();
        final Action down = copy(ATTEMPT + "/download", ANNA, beta(STAGED), alpha(home), RESULTS, signed(home));
        refused(on(ALPHA).refusal(down, NOW), "home directory");
        refused(on(BETA).refusal(upload(alpha(home), beta(STAGED), INPUTS, signed(home)), NOW), "home directory");
    }

    @Attack("the signature of a submission is replayed after its expiry, or for a dry run")
    @Test
    void a_start_is_authorized_until_the_expiry_and_a_dry_run_by_its_own_signature() {
        refused(on(ALPHA).refusal(submit("anna", HOME, signed()), LATE), "expired");
        refused(on(ALPHA).refusal(new Action.Make(ATTEMPT, ANNA, SPEC, HOME, signed()), LATE), "expired");
        final String dry = dryRun(ALPHA, HOME);
        assertThat(on(ALPHA).refusal(new Action.DryRun(ATTEMPT, ANNA, SPEC, HOME, dry), NOW))
                .isEmpty();
        refused(on(ALPHA).refusal(new Action.DryRun(ATTEMPT, ANNA, SPEC, HOME, signed()), NOW), "for a submission");
        refused(on(ALPHA).refusal(submit("anna", HOME, dry), NOW), "for a dry run");
        refused(on(BETA).refusal(new Action.DryRun(ATTEMPT, ANNA, SPEC, HOME, dry), NOW), "not for beta");
        refused(on(ALPHA).refusal(new Action.DryRun(ATTEMPT, ANNA, SPEC, "/tmp", dry), NOW), "not for alpha:/tmp");
        final JobSpec other = SPEC.withEnvironment(Map.of("BASH_ENV", "/tmp/evil"));
        refused(on(ALPHA).refusal(new Action.DryRun(ATTEMPT, ANNA, other, HOME, dry), NOW), "not what was signed");
    }

    private String dryRun(final ClusterId cluster, final String directory) {
        return signer.dryRun(
                new Authorization.Origin(ANNA, ALPHA, ATTEMPT.job(), cluster, directory, FileFilters.NONE),
                SPEC,
                NOW.plusSeconds(120));
    }

    @Attack("the login key of a cluster that this one does not accept vouches for a user")
    @Test
    void only_accepted_logins_count() {
        final SignatureAuthorization beta =
                new SignatureAuthorization(signatures, owners(BETA), new SignedPlace(BETA, "/staging"));
        refused(beta.refusal(submit("anna", STAGED, signed()), NOW), "does not accept");
        refused(beta.refusal(upload(alpha(HOME), beta(STAGED), INPUTS, signed()), NOW), "does not accept");
    }

    @Test
    void nothing_is_done_as_root() {
        refused(on(ALPHA).refusal(submit("root", HOME, signed()), NOW), "'root'");
        refused(
                on(BETA).refusal(
                                copy(
                                        ATTEMPT + "/upload",
                                        UserName.of("root"),
                                        alpha(HOME),
                                        beta(STAGED),
                                        INPUTS,
                                        signed()),
                                NOW),
                "'root'");
    }

    @Test
    void without_keys_no_script_is_taken() {
        final SignatureAuthorization none =
                new SignatureAuthorization(null, owners(ALPHA), new SignedPlace(ALPHA, "/staging"));
        refused(none.refusal(submit("anna", HOME, signed()), NOW), "millrace.agent.submission-keys");
    }

    @Attack("charges the project of others on a cluster where it has the name of one's own")
    @Test
    void no_job_is_submitted_for_a_project_of_another_site_project() {
        final SiteNames names = new SiteNames(new SiteMappingObserved(
                ALPHA,
                false,
                Map.of(),
                Map.of(ProjectName.of("climate"), ProjectName.of("p1")),
                Map.of(),
                Set.of(ALPHA),
                null));
        final SignatureAuthorization mapped = new SignatureAuthorization(
                signatures,
                new OwnerAccounts(TestAccounts.labels(), new ReplayRunner(""), true, () -> names, 1),
                new SignedPlace(ALPHA, "/staging"));
        refused(mapped.refusal(submitFor("p1"), NOW), "belongs to site project 'climate'");
        assertThat(mapped.refusal(submitFor("climate"), NOW)).isEmpty();
        assertThat(mapped.refusal(submitFor("p2"), NOW)).isEmpty();
    }

    private Action.Submit submitFor(final String project) {
        return new Action.Submit(ATTEMPT, ANNA, SPEC.withProject(ProjectName.of(project)), HOME, signed());
    }

    private static void refused(final Optional<String> refusal, final String because) {
        assertThat(refusal).hasValueSatisfying(why -> assertThat(why).contains(because));
    }
}
