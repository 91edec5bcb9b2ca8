package io.millrace.agent.pbspro;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Tier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One command does what it can: the tiers of several jobs, and the hold of a job with its mark and its sentence for users. */
class CommandCountTest {

    private static final Instant SUBMITTED = Instant.ofEpochSecond(1795178740);
    private static final UserSentence WHY = new UserSentence("Millrace requeued this job: a, b=c");

    @TempDir
    Path home;

    private FakePbs fake;
    private WorkloadManager pbs;
    private final List<List<String>> commands = new ArrayList<>();
    private final List<String> inputs = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        fake = new FakePbs(home, new Accounts());
        fake.server.savesJobs = false;
        fake.server.hasResource = true;
        final PbsSite site = new PbsSite(
                ClusterId.of("pbs"),
                null,
                Map.of(),
                ZoneOffset.UTC,
                ZoneOffset.UTC,
                home.resolve("accounting"),
                null,
                new Accounts().own().name().value(),
                PbsSite.Charge.PROJECT);
        final Runner counting = new Runner() {
            @Override
            public <T> Answer<T> run(final CommandLine<T> command) {
                commands.add(command.argv());
                inputs.add(new String(command.input(), StandardCharsets.UTF_8));
                return fake.run(command);
            }

            @Override
            public Runner as(final UserName owner) {
                return fake.as(owner);
            }
        };
        pbs = PbsPro.of(site, counting, Clock.systemUTC(), () -> "nonce");
    }

    @AfterEach
    void close() {
        fake.server.close();
    }

    private FakePbsJob waiting() {
        final FakePbsJob job = new FakePbsJob(fake.server.nextNumber(), "", UserName.of("alice"), SUBMITTED);
        job.resources.putAll(Map.of("ncpus", "1", "select", "1:ncpus=1"));
        fake.server.jobs.put(job.id(), job);
        return job;
    }

    private static JobKey key(final String id) {
        return new JobKey(new JobId(ClusterId.of("pbs"), id), SUBMITTED);
    }

    private List<List<String>> changing() {
        return commands.stream()
                .filter(argv -> !List.of("qstat", "qmgr").contains(argv.getFirst()))
                .toList();
    }

    private JobState state(final FakePbsJob job) {
        return Objects.requireNonNull(pbs.observe().get().jobs().stream()
                        .filter(seen -> seen.job().equals(key(job.id())))
                        .findFirst()
                        .orElse(null))
                .state();
    }

    @Test
    void the_tiers_of_several_jobs_take_one_command_and_each_job_has_its_own_answer() {
        final Map<JobKey, Tier> tiers = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            tiers.put(key(waiting().id()), i % 2 == 0 ? Tier.GUARANTEED : Tier.BORROWED);
        }
        final JobKey gone = key("4711.vm");
        tiers.put(gone, Tier.BORROWED);

        final Map<JobKey, Answer<Accepted>> answers = pbs.get(Tiering.class).setTiers(tiers);

        assertThat(commands).hasSize(1);
        assertThat(answers.keySet()).isEqualTo(tiers.keySet());
        tiers.forEach((job, tier) -> {
            if (job.equals(gone)) {
                assertThat(((Answer.Trouble<Accepted>) Objects.requireNonNull(answers.get(job))).kind())
                        .isEqualTo(Answer.Kind.NO_SUCH_JOB);
            } else {
                assertThat(Objects.requireNonNull(answers.get(job)).get().detail())
                        .contains("alice", tier.toString());
            }
        });
    }

    @Test
    void the_jobs_of_several_attempts_are_found_by_one_query_and_one_search_for_their_tags() {
        final GlobalJobId job = GlobalJobId.of("01KJMZ3Q7Y8ZABCDEFGHJKMNPQ");

        pbs.get(AttemptFinding.class)
                .find(Map.of(job.attempt(1), UserName.of("alice"), job.attempt(2), UserName.of("bob")))
                .get();

        assertThat(commands).extracting(List::getFirst).containsExactly("qstat", "grep");
        assertThat(inputs.getLast().lines()).containsExactlyInAnyOrder("." + job.attempt(1), "." + job.attempt(2));
    }

    @Test
    void a_hold_with_its_mark_and_its_sentence_takes_one_command() {
        final FakePbsJob job = waiting();
        pbs.get(Holding.class).hold(key(job.id()), HoldKind.SUBMISSION, WHY).get();

        assertThat(changing())
                .containsExactly(List.of(
                        "qalter", "-h", "o", "-l", "millrace=submission.0", "-W", "comment=\"" + WHY + "\"", job.id()));
        assertThat(state(job)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
    }

    @Test
    void the_hold_of_a_dependency_stays() {
        final FakePbsJob dependent = waiting();
        dependent.held("s");
        dependent.depend = "afterok:1.vm";
        dependent.substate = 22;
        pbs.get(Holding.class)
                .hold(key(dependent.id()), HoldKind.SUBMISSION, WHY)
                .get();
        assertThat(dependent.holds).isEqualTo("so");
    }

    @Test
    void a_comment_that_the_server_refuses_fails_no_hold() {
        fake.server.refusesComments = true;
        final FakePbsJob job = waiting();
        pbs.get(Holding.class).hold(key(job.id()), HoldKind.SUBMISSION, WHY).get();

        assertThat(state(job)).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(String.valueOf(job.comment)).doesNotContain(WHY.text());
    }
}
