package io.millrace.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.AgentSettings;
import io.millrace.agent.site.LocalProjects;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.PlanClosed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlSwitchTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration DIRECTED_AFTER = Duration.ofSeconds(20);

    private final SteppedClock clock = new SteppedClock();
    private final FakeWlm wlm = new FakeWlm();
    private boolean commandRuns;
    private Path heartbeat;

    @BeforeEach
    void heartbeatFile(@TempDir final Path folder) {
        heartbeat = folder.resolve("heartbeat");
    }

    @Test
    void an_embedded_cluster_goes_native_if_its_deciders_are_silent() {
        final ControlSwitch control = controlSwitch(true);

        clock.advance(TIMEOUT.plusSeconds(1));
        control.check();

        assertThat(wlm.switches).containsExactly(Control.NATIVE);
    }

    @Test
    void control_does_not_change_while_a_reclaim_is_executed_although_the_deciders_are_silent() {
        final ControlSwitch control = controlSwitch(true);
        commandRuns = true;

        for (int second = 0; second < 180; second++) {
            clock.advance(Duration.ofSeconds(1));
            control.check();
        }
        assertThat(wlm.switches).isEmpty();

        commandRuns = false;
        control.check();
        assertThat(wlm.switches).containsExactly(Control.NATIVE);
    }

    @Test
    void control_does_not_return_to_directed_while_a_command_is_executed() {
        final ControlSwitch control = controlSwitch(false);
        wlm.control = Control.NATIVE;
        commandRuns = true;

        keepDecidersActive(control);
        assertThat(wlm.switches).isEmpty();

        commandRuns = false;
        control.check();
        assertThat(wlm.switches).containsExactly(Control.DIRECTED);
    }

    @Test
    void an_agent_without_the_rights_to_switch_control_reports_it_until_it_has_them() {
        final ControlSwitch control = controlSwitch(false);
        wlm.control = Control.NATIVE;
        wlm.refusal = "'badmin qinact normal' failed (exit code 255)";

        keepDecidersActive(control);
        assertThat(control.problem())
                .startsWith("cannot switch to directed control: 'badmin qinact normal' failed (exit code 255)")
                .contains("needs the rights of an administrator");

        wlm.refusal = null;
        control.check();
        assertThat(control.problem()).isNull();
        assertThat(wlm.switches).containsExactly(Control.DIRECTED);
    }

    @Test
    void a_cluster_with_a_watchdog_stays_as_it_is_if_its_deciders_are_silent() {
        final ControlSwitch control = controlSwitch(false);

        clock.advance(TIMEOUT.multipliedBy(10));
        control.check();

        assertThat(wlm.switches).isEmpty();
    }

    @Test
    void the_heartbeat_file_is_written_for_each_new_plan_and_not_for_a_plan_seen_before() throws IOException {
        final ControlSwitch control = controlSwitch(false);

        control.recordPlan(plan());
        assertThat(Files.readString(heartbeat)).isEqualTo(NOON + "\n");

        final PlanClosed same = new PlanClosed(CLUSTER, Issuer.BACKFILL, 1, NOON, 0, 0);
        Files.delete(heartbeat);
        clock.advance(Duration.ofSeconds(5));
        control.recordPlan(same);
        assertThat(heartbeat).doesNotExist();
    }

    @Test
    void the_heartbeat_file_stays_fresh_while_a_command_is_executed_so_that_the_watchdog_waits() throws IOException {
        final ControlSwitch control = controlSwitch(false);
        control.recordPlan(plan());
        Files.delete(heartbeat);

        clock.advance(TIMEOUT);
        control.keepHeartbeat();
        assertThat(heartbeat).doesNotExist();

        commandRuns = true;
        control.keepHeartbeat();
        assertThat(heartbeat).exists();
    }

    private void keepDecidersActive(final ControlSwitch control) {
        for (int second = 0; second <= DIRECTED_AFTER.toSeconds() + 1; second++) {
            clock.advance(Duration.ofSeconds(1));
            control.recordPlan(plan());
            control.check();
        }
    }

    private PlanClosed plan() {
        return new PlanClosed(CLUSTER, Issuer.BACKFILL, 1, clock.instant(), 0, 0);
    }

    private ControlSwitch controlSwitch(final boolean embedded) {
        final AgentSettings settings = new AgentSettings(
                CLUSTER,
                Control.DIRECTED,
                null,
                null,
                heartbeat,
                Path.of("/unused"),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                Duration.ofSeconds(1),
                Duration.ofMinutes(3),
                Duration.ofMinutes(30),
                TIMEOUT,
                DIRECTED_AFTER,
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                LocalProjects.Trust.ALL);
        return new ControlSwitch(settings, wlm.adapter(), embedded, () -> commandRuns, clock);
    }

    private static final class FakeWlm implements Observing, Submitting, Cancelling, ControlSwitching {

        private WorkloadManager adapter() {
            return WorkloadManager.of(this, this, this).with(ControlSwitching.class, this);
        }

        private final List<Control> switches = new ArrayList<>();
        private Control control = Control.DIRECTED;
        private @Nullable String refusal;

        @Override
        public Answer<Control> control() {
            return Answer.ok(control);
        }

        @Override
        public Answer<Accepted> control(final Control next) {
            if (refusal != null) {
                return Answer.trouble(Answer.Kind.DENIED, refusal);
            }
            switches.add(next);
            control = next;
            return Answer.ok(new Accepted(next.name()));
        }

        @Override
        public String version() {
            return "fake";
        }

        @Override
        public Answer<Observation> observe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer<JobKey> submit(final Submission submission) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer<Accepted> cancel(final JobKey job) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class SteppedClock extends Clock {

        private Instant now = NOON;

        void advance(final Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(final ZoneId zone) {
            return this;
        }
    }
}
