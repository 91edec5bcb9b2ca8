package io.millrace.agent.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.site.LocalProjects.Trust;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Observation;
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
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Attack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** S-5. The project of a local job is text that any user can set; jobs of strangers are published without it. */
@Timeout(300)
class LocalProjectsTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final ProjectName SECRET = ProjectName.of("secretproj");
    private static final AttemptId ATTEMPT =
            GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1);

    private final Map<UserName, Set<String>> directory = new HashMap<>(
            Map.of(UserName.of("anna"), Set.of("users", "secretproj"), UserName.of("mallory"), Set.of("users")));
    private final SiteTranslation agent = agent(SiteMapping.none(ALPHA), Trust.GROUP);

    private SiteTranslation agent(final SiteMapping mapping, final Trust trust) {
        return new SiteTranslation(
                mapping, new LocalProjects(trust, account -> Optional.ofNullable(directory.get(account))));
    }

    @Test
    @Attack("charge a project by qsub -P or bsub -P without being a member")
    void a_job_of_a_stranger_charges_no_project() {
        assertThat(published(agent, job(1, "mallory", "secretproj", null))).isNull();
        assertThat(published(agent, job(2, "anna", "secretproj", null))).isEqualTo(SECRET);
        assertThat(published(agent, job(3, "anna", null, null))).isNull();
        assertThat(shown(agent, job(1, "mallory", "secretproj", null)).detail().claimedProject())
                .isEqualTo(SECRET);
        assertThat(shown(agent, job(2, "anna", "secretproj", null)).detail().claimedProject())
                .isNull();
    }

    @Test
    @Attack("charge a project with the tag of a member's global job")
    void a_forged_tag_does_not_bring_the_project_of_its_job() {
        agent.learn(submitFor("anna", SECRET));

        assertThat(published(agent, job(1, "mallory", "secretproj", ATTEMPT))).isNull();
    }

    @Test
    @Attack("alter the project of a submitted job at the workload manager")
    void a_global_job_charges_what_was_submitted() {
        agent.learn(submitFor("mallory", null));
        assertThat(published(agent, job(1, "mallory", "secretproj", ATTEMPT))).isNull();

        directory.clear();
        agent.learn(submitFor("anna", SECRET));
        assertThat(published(agent, job(1, "anna", "other", ATTEMPT))).isEqualTo(SECRET);
    }

    @Test
    @Attack("let the job of a stranger end before it is observed")
    void the_end_of_an_unobserved_job_charges_no_project_of_others() {
        assertThat(agent.chargedProject(ended("mallory", null))).isNull();
        assertThat(agent.chargedProject(ended("anna", null))).isEqualTo(SECRET);
        agent.learn(submitFor("mallory", ProjectName.of("own")));
        assertThat(agent.chargedProject(ended("mallory", ATTEMPT))).isEqualTo(ProjectName.of("own"));
    }

    @Test
    void a_job_keeps_its_project_while_it_names_no_other() {
        final JobObserved anna = job(1, "anna", "secretproj", null);
        assertThat(published(agent, anna)).isEqualTo(SECRET);

        directory.put(UserName.of("anna"), Set.of("users"));

        assertThat(published(agent, anna)).as("as at its submission").isEqualTo(SECRET);
        assertThat(published(agent, job(1, "anna", "other", null))).isNull();
        final SiteTranslation restarted = agent(SiteMapping.none(ALPHA), Trust.GROUP);
        restarted.learn(List.of(anna));
        assertThat(published(restarted, anna)).as("after a restart").isEqualTo(SECRET);
        assertThat(published(restarted, job(2, "anna", "secretproj", null))).isNull();
    }

    @Test
    void the_site_decides_whose_word_counts() {
        final JobObserved job = job(1, "mallory", "secretproj", null);
        assertThat(published(agent(SiteMapping.none(ALPHA), Trust.ALL), job)).isEqualTo(SECRET);
        assertThat(published(agent(SiteMapping.none(ALPHA), Trust.NONE), job(1, "anna", "secretproj", null)))
                .isNull();
    }

    @Test
    void members_are_those_of_the_clusters_group_and_are_charged_by_the_sites_name(@TempDir final Path folder)
            throws Exception {
        final Path file = Files.writeString(
                folder.resolve("names.yaml"), "projects:\n  climate: secretproj\naccounts:\n  annika: anna\n");
        final SiteTranslation mapped = agent(SiteMapping.of(ALPHA, file), Trust.GROUP);
        assertThat(published(mapped, job(1, "anna", "secretproj", null))).isEqualTo(ProjectName.of("climate"));
        assertThat(published(mapped, job(2, "mallory", "secretproj", null))).isNull();
    }

    @Test
    void the_poll_does_not_wait_for_the_name_service() throws InterruptedException {
        final AtomicLong now_ns = new AtomicLong();
        final AtomicReference<Set<String>> answer = new AtomicReference<>();
        final UserName anna = UserName.of("anna");
        final UnixGroups groups = new UnixGroups(
                user -> Optional.ofNullable(answer.get()).orElseThrow(() -> new IllegalStateException("down")),
                now_ns::get);
        assertThat(groups.of(anna)).as("not known yet").isEmpty();
        answer.set(Set.of("climate"));
        await(() -> groups.of(anna).isPresent());
        answer.set(null);
        now_ns.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(groups.of(anna)).as("the last answer").contains(Set.of("climate"));
        answer.set(Set.of());
        await(() -> groups.of(anna).orElseThrow().isEmpty());
    }

    @Test
    void the_name_service_of_this_host_knows_the_groups_of_root() throws InterruptedException {
        final UnixGroups groups = new UnixGroups();
        await(() -> groups.of(UserName.of("root")).isPresent());
        assertThat(groups.of(UserName.of("root")).orElseThrow()).contains("root");
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(2);
        }
    }

    private static @Nullable ProjectName published(final SiteTranslation by, final JobObserved seen) {
        return shown(by, seen).project();
    }

    private static JobObserved shown(final SiteTranslation by, final JobObserved seen) {
        return by.of(new Observation(Instant.EPOCH, Control.NATIVE, List.of(seen), List.of(), List.of()))
                .jobs()
                .getFirst();
    }

    private static EndedJob ended(final String owner, final @Nullable AttemptId attempt) {
        return new EndedJob(
                new JobKey(new JobId(ALPHA, "9"), Instant.EPOCH),
                "job",
                attempt,
                UserName.of(owner),
                SECRET,
                PartitionName.of("main"),
                Resources.cores(1),
                null,
                List.of());
    }

    private static JobObserved job(
            final int id, final String owner, final @Nullable String project, final @Nullable AttemptId attempt) {
        return new JobObserved(
                new JobKey(new JobId(ALPHA, Integer.toString(id)), Instant.EPOCH),
                "job",
                UserName.of(owner),
                project == null ? null : ProjectName.of(project),
                PartitionName.of("main"),
                new JobState.Queued(),
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                Eligibility.since(Instant.EPOCH),
                attempt,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private static Action.Submit submitFor(final String owner, final @Nullable ProjectName project) {
        final JobSpec plain = new JobSpec(
                "job",
                "#!/bin/sh\n",
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return new Action.Submit(
                ATTEMPT,
                UserName.of(owner),
                project == null ? plain : plain.withProject(project),
                "/home/" + owner,
                "");
    }
}
