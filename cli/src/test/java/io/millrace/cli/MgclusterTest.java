package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.api.CommandException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MgclusterTest {

    private static final String PATH = "/clusters/beta/availability";

    @TempDir
    Path home;

    private static <C extends Mgcluster.Change> C about(final C change) {
        change.cluster = "beta";
        change.reason = "new cooling";
        return change;
    }

    @Test
    void a_drain_is_requested_and_waits_until_it_is_in_force() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            api.answer(PATH, "{\"status\":\"open\",\"version\":0}")
                    .afterwards(PATH, "{}")
                    .afterwards(PATH, "{\"status\":\"open\",\"version\":0}")
                    .afterwards(PATH, "{\"status\":\"drained\",\"reason\":\"new cooling\",\"version\":1}");
            assertThat(about(new Mgcluster.Drain()).change(api.client())).isEqualTo("beta: drained (new cooling)");
            assertThat(api.requests()).contains("PUT " + PATH + " {\"status\":\"drained\",\"reason\":\"new cooling\"}");
        }
    }

    @Test
    void an_undrained_cluster_that_was_fenced_is_returning_first() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            api.answer(PATH, "{\"status\":\"fenced\",\"version\":1}")
                    .afterwards(PATH, "{}")
                    .afterwards(PATH, "{\"status\":\"returning\",\"version\":2}");
            assertThat(about(new Mgcluster.Undrain()).change(api.client())).startsWith("beta: returning; jobs");
        }
    }

    @Test
    void a_cluster_that_is_in_that_state_already_keeps_its_reason() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            api.answer(PATH, "{\"status\":\"fenced\",\"reason\":\"power lost\",\"version\":1}")
                    .afterwards(PATH, "{}");
            assertThat(about(new Mgcluster.Fence()).change(api.client()))
                    .isEqualTo("beta: fenced (power lost); nothing changed");
        }
    }

    @Test
    void the_state_is_no_success_for_a_user_who_may_not_change_it() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            api.answer(PATH, "{\"status\":\"drained\",\"reason\":\"power lost\",\"version\":1}")
                    .afterwardsRefuse(PATH, 403, "draining a cluster requires the operator role");
            assertThatThrownBy(() -> about(new Mgcluster.Drain()).change(api.client()))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("operator");
        }
    }
}
