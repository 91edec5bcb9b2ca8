package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MguserTest {

    private static final String LOCKED =
            "{\"user\":\"anna\",\"locked\":true,\"author\":\"olga\",\"reason\":\"stolen laptop\","
                    + "\"changedAt\":\"2026-03-01T08:00:00Z\",\"jobs\":3}";

    @TempDir
    Path home;

    @Test
    void a_lock_says_who_and_how_many_jobs() throws Exception {
        final Mguser.Lock lock = new Mguser.Lock();
        lock.user = "anna";
        lock.reason = "stolen laptop";
        try (FakeApi api = new FakeApi(home)) {
            api.answer("/locks/anna", LOCKED);
            assertThat(lock.lock(api.client()))
                    .isEqualTo("anna: locked by olga at 2026-03-01T08:00:00Z (stolen laptop); jobs held: 3");
            assertThat(api.requests()).contains("PUT /locks/anna {\"reason\":\"stolen laptop\",\"stopJobs\":false}");
        }
    }

    @Test
    void locked_users_are_listed() throws Exception {
        try (FakeApi api = new FakeApi(home)) {
            api.answer("/locks", "{\"locks\":[" + LOCKED + "]}");
            assertThat(new Mguser.Listing().list(api.client()))
                    .containsExactly("anna: locked by olga at 2026-03-01T08:00:00Z (stolen laptop)");
        }
    }
}
