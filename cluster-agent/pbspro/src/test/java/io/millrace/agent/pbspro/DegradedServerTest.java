package io.millrace.agent.pbspro;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Answer.Kind;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Offer;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.JobSpec;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is down, returns incomplete answers or hides jobs, and an agent without operator rights. */
class DegradedServerTest {

    private static final UserName ME = new Accounts().own().name();

    @TempDir
    Path home;

    private FakePbs fake;
    private WorkloadManager pbs;

    @BeforeEach
    void open() throws Exception {
        fake = new FakePbs(home, new Accounts());
        fake.server.savesJobs = false;
        pbs = agent(fake, ME.value());
    }

    @AfterEach
    void close() {
        fake.server.close();
    }

    private WorkloadManager agent(final Runner runner, final String account) {
        final PbsSite site = new PbsSite(
                ClusterId.of("pbs"),
                null,
                Map.of(),
                ZoneOffset.UTC,
                ZoneOffset.UTC,
                home.resolve("accounting"),
                null,
                account,
                PbsSite.Charge.PROJECT);
        return PbsPro.of(site, runner, Clock.systemUTC(), () -> "nonce");
    }

    private String queued(final String owner) {
        final FakePbsJob job = new FakePbsJob(
                fake.server.nextNumber(), "", UserName.of(owner), java.time.Instant.ofEpochSecond(1795178740));
        job.resources.putAll(Map.of("ncpus", "1", "select", "1:ncpus=1"));
        fake.server.jobs.put(job.id(), job);
        return job.id();
    }

    private static Kind kind(final Answer<?> answer) {
        return ((Answer.Trouble<?>) answer).kind();
    }

    @Test
    void an_unreachable_server_is_down_for_every_command() {
        queued("alice");
        for (final String program : new String[] {"qstat", "pbsnodes"}) {
            fake.failures.put(
                    program,
                    RecordedOutput.of(program.equals("qstat") ? "329" : "333").result());
            assertThat(kind(pbs.observe())).as(program).isEqualTo(Kind.DOWN);
            fake.failures.clear();
        }
        assertThat(pbs.observe().get().jobs()).hasSize(1);
    }

    @Test
    void a_command_during_an_outage_changes_nothing_and_reports_the_outage() {
        final JobKey job = new JobKey(
                new JobId(ClusterId.of("pbs"), queued("alice")), java.time.Instant.ofEpochSecond(1795178740));
        fake.failures.put("qrun", RecordedOutput.of("335").result());
        assertThat(kind(pbs.get(Starting.class).start(job))).isEqualTo(Kind.DOWN);
        fake.failures.clear();
        assertThat(pbs.observe().get().jobs())
                .extracting(JobObserved::state)
                .containsExactly(new JobState.Held(HoldKind.ENTRY));
    }

    @Test
    void an_incomplete_answer_is_not_taken_for_the_whole_queue() {
        queued("alice");
        final String header = "{\n"
                + "\t\"timestamp\":\t1795179755,\n"
                + "\t\"pbs_version\":\t\"23.06.06\",\n"
                + "\t\"pbs_server\":\t\"vm\",\n"
                + "\t\"Jo";
        fake.failures.put("qstat", CommandResult.of(0, header, ""));
        assertThat(kind(pbs.observe())).isEqualTo(Kind.UNREADABLE);
    }

    @Test
    void an_empty_queue_is_rejected_if_the_server_counts_jobs() {
        final Runner hiding = new Runner() {
            @Override
            public <T> Answer<T> run(final io.millrace.agent.exec.CommandLine<T> command) {
                return command.argv().contains("-t")
                        ? command.read(CommandResult.of(
                                0, FakePbsOutput.document(java.time.Instant.now(), "Jobs", Map.of()), ""))
                        : fake.run(command);
            }

            @Override
            public Runner as(final UserName owner) {
                return fake.as(owner);
            }
        };
        assertThat(agent(hiding, ME.value()).observe().get().jobs()).isEmpty();
        queued("alice");
        final Answer<?> answer = agent(hiding, ME.value()).observe();
        assertThat(kind(answer)).isEqualTo(Kind.UNREADABLE);
        assertThat(((Answer.Trouble<?>) answer).reason()).contains("query_other_jobs");
    }

    @Test
    void an_agent_without_operator_rights_withholds_capabilities_and_names_the_remedies() {
        final WorkloadManager plain = agent(fake.user(UserName.of("daemon")), "daemon");
        queued("alice");

        assertThat(plain.observe().get().jobs()).hasSize(1);
        final Offer offer = Offer.of(plain);
        assertThat(offer.capabilities())
                .contains(Capability.ACCOUNTING, Capability.DRY_RUN)
                .doesNotContain(
                        Capability.START, Capability.HOLD, Capability.REQUEUE, Capability.RECLAIM, Capability.LIMIT);
        assertThat(offer.notes().get(Capability.START)).contains("qmgr -c 'set server operators += daemon@*'");
        final Answer<JobKey> submitted = plain.submit(submission());
        assertThat(kind(submitted)).isEqualTo(Kind.DENIED);
        assertThat(((Answer.Trouble<JobKey>) submitted).reason())
                .contains("qmgr -c 'create resource millrace type=string,flag=r'");
    }

    @Test
    void a_scheduler_that_suspends_victims_offers_no_tiers() {
        fake.server.preemptOrder = "SCR";
        assertThat(Offer.of(pbs).capabilities()).doesNotContain(Capability.TIER);
        assertThat(Offer.of(pbs).notes().get(Capability.TIER)).contains("preempt_order");
        fake.server.preemptOrder = "R";
        assertThat(Offer.of(pbs).capabilities()).contains(Capability.TIER);
    }

    @Test
    void a_limit_is_replaced_by_its_exact_old_value_and_injection_is_rejected() {
        fake.server.softLimits.put("bob", 2);
        assertThat(pbs.get(Limiting.class).setLimit(UserName.of("alice"), 4)).isInstanceOf(Answer.Ok.class);
        assertThat(pbs.get(Limiting.class).setLimit(UserName.of("alice"), 6)).isInstanceOf(Answer.Ok.class);
        assertThat(fake.server.softLimits).isEqualTo(Map.of("alice", 6, "bob", 2));
        assertThat(kind(pbs.get(Limiting.class).setLimit(UserName.of("PBS_GENERIC"), 4)))
                .isEqualTo(Kind.REJECTED);
        assertThat(kind(pbs.get(Limiting.class).setLimit(UserName.of("a+b"), 4)))
                .isEqualTo(Kind.REJECTED);
    }

    @Test
    void a_job_submitted_by_a_killed_agent_is_found_and_still_held_for_submission() {
        final FakePbsJob job = java.util.Objects.requireNonNull(FakePbsCommands.find(fake.server, queued("alice")));
        job.variables.put("MILLRACE_TAG", "_" + submission().attempt());
        job.held("u");

        assertThat(pbs.get(AttemptFinding.class)
                        .find(submission().attempt(), UserName.of("alice"))
                        .get())
                .hasSize(1);
        assertThat(pbs.get(AttemptFinding.class)
                        .find(submission().attempt(), UserName.of("mallory"))
                        .get())
                .as("jobs of mallory with this tag")
                .isEmpty();
        assertThat(pbs.observe().get().jobs().get(0).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        final JobKey key = pbs.observe().get().jobs().get(0).job();
        assertThat(kind(pbs.get(Starting.class).start(key))).isEqualTo(Kind.WRONG_STATE);
        assertThat(Offer.of(pbs).capabilities()).as("creates the resource").contains(Capability.HOLD);
        assertThat(pbs.get(Holding.class).release(key, HoldKind.SUBMISSION)).isInstanceOf(Answer.Ok.class);
        assertThat(job.holds).isEmpty();
        assertThat(pbs.get(ControlSwitching.class).control()).isEqualTo(Answer.ok(Control.DIRECTED));
    }

    /** Seen on OpenPBS 23.06: the mark was there after the crash, the hold was that of qsub. */
    @Test
    void a_submission_whose_hold_was_lost_in_a_crash_of_the_server_is_still_held_for_submission() {
        final FakePbsJob job = java.util.Objects.requireNonNull(FakePbsCommands.find(fake.server, queued("alice")));
        job.variables.put("MILLRACE_TAG", "_" + submission().attempt());
        job.resources.put("millrace", "submission.0." + submission().attempt());
        job.held("u");

        assertThat(pbs.observe().get().jobs().get(0).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        final JobKey key = pbs.observe().get().jobs().get(0).job();
        assertThat(Offer.of(pbs).capabilities()).as("creates the resource").contains(Capability.HOLD);
        assertThat(pbs.get(Holding.class).release(key, HoldKind.SUBMISSION)).isInstanceOf(Answer.Ok.class);
        assertThat(job.holds).isEmpty();

        job.held("u");
        assertThat(pbs.observe().get().jobs().get(0).state()).isEqualTo(new JobState.Held(HoldKind.USER));
    }

    private Submission submission() {
        return new Submission(
                GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1),
                ME,
                new JobSpec(
                        "x",
                        "#!/bin/sh\ntrue\n",
                        null,
                        Resources.cores(1),
                        Duration.ofMinutes(1),
                        null,
                        null,
                        Map.of(),
                        new CheckpointMethod.None(),
                        false),
                home.toString());
    }
}
