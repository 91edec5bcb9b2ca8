package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

@ExtendWith(BerlinTime.class)
@Isolated("replaces the time zone")
class JobExplanationTest {

    @Test
    void times_have_no_fractions_and_a_run_that_never_started_is_marked() throws Exception {
        assertThat(JobExplanation.full(new ObjectMapper().readTree("""
            {"job": "alpha/3", "state": "held", "summary": "Held.", "predictedStart": "2026-03-01T12:00:00Z",
             "commands": [{"issuedAt": "2026-03-01T11:00:00.571027310Z", "service": "backfill", "action": "start",
                           "cluster": "alpha", "result": "open"}],
             "runs": [{"run": 1, "job": "alpha/3", "endedAt": "2026-03-01T11:30:00.5Z",
                       "outcome": {"detail": "cancelled"}, "source": "accounting"}]}
            """)))
                .containsExactly(
                        "alpha/3  held",
                        "  Held.",
                        "  predicted start 2026-03-01T13:00:00",
                        "  2026-03-01T12:00:00 backfill start on alpha, open",
                        "  run 1 of alpha/3: never started, ended 2026-03-01T12:30:00: cancelled (accounting)");
    }

    @Test
    void classes_that_a_job_and_its_attempt_share_are_shown_once() throws Exception {
        assertThat(JobExplanation.full(new ObjectMapper().readTree("""
            {"job": "01HZZZ", "state": "waiting", "stage": "Waiting", "summary": "Waiting.",
             "classes": [{"job": "01HZZZ", "classes": ["short"], "evidence": ["limit of 10 minutes"]},
                         {"job": "alpha/3", "classes": ["short"], "evidence": ["limit of 10 minutes"]},
                         {"job": "beta/4", "classes": ["short"], "evidence": ["limit of 5 minutes"]}]}
            """)))
                .containsExactly(
                        "01HZZZ  waiting",
                        "  Waiting.",
                        "  classes short: limit of 10 minutes",
                        "  classes short: limit of 5 minutes");
    }

    @Test
    void a_plan_shows_its_position_and_its_vetoes_with_their_codes() throws Exception {
        assertThat(JobExplanation.full(new ObjectMapper().readTree("""
            {"job": "alpha/3", "state": "held", "summary": "Held.",
             "plans": [{"service": "backfill", "position": 2, "reason": "waits for 4 cores",
                        "vetoes": [{"code": "too-few-gpus", "permanent": false, "reason": "needs 4 GPUs per node"}]}],
             "commands": [{"issuedAt": "2026-03-01T11:00:00Z", "service": "quota", "action": "reclaim", "cluster": "alpha",
                           "reason": "for job alpha/9", "result": "done", "resultReason": "1 job preempted"}]}
            """)))
                .containsExactly(
                        "alpha/3  held",
                        "  Held.",
                        "  backfill plan, position 2: waits for 4 cores",
                        "    too-few-gpus: needs 4 GPUs per node",
                        "  2026-03-01T12:00:00 quota reclaim on alpha, done; reason: for job alpha/9",
                        "    result: 1 job preempted");
    }

    @Test
    void the_short_form_has_what_decides_first_what_helps_and_the_predicted_start() throws Exception {
        assertThat(JobExplanation.brief(new ObjectMapper().readTree("""
            {"job": "01HZZZ", "number": "4711", "name": "mesh", "state": "waiting", "stage": "Waiting", "summary": "A long text.",
             "predictedStart": "2026-03-01T12:00:00Z",
             "obstacle": {"code": "no-idle-cores", "reason": "3 cores idle, 8 requested", "remedy": "Wait."},
             "stalledServices": [], "plans": [{"service": "backfill", "position": 2, "reason": "a", "vetoes": []}]}
            """)))
                .containsExactly(
                        "4711 mesh  waiting",
                        "  no idle cores: 3 cores idle, 8 requested",
                        "  Wait.",
                        "  predicted start 2026-03-01T13:00:00");
    }

    @Test
    void the_short_form_of_a_running_job_has_where_it_is_and_with_which_right() throws Exception {
        assertThat(JobExplanation.brief(new ObjectMapper().readTree("""
            {"job": "01HZZZ", "number": "4711", "name": "mesh", "state": "running", "stage": "Submitted", "summary": "A long text.",
             "attempts": [{"number": 1, "cluster": "beta", "startedAt": "2026-03-01T12:00:00Z", "reason": "16 cores are idle"}],
             "entitlement": {"level": "borrowed", "reason": "no quota on this cluster"}, "stalledServices": []}
            """)))
                .containsExactly(
                        "4711 mesh  running",
                        "  on beta since 2026-03-01T13:00:00: 16 cores are idle",
                        "  borrowed: no quota on this cluster");
    }
}
