package io.millrace.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.quota.domain.QuotaFileEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaFileTest {

    @TempDir
    private Path folder;

    @Test
    void names_clusters_users_and_cores() throws IOException {
        final Path file = file("""
                quotas:
                  alpha:
                    anna: 16   # the turbine project
                    bob.b@hpc.example: 0
                  beta:
                """);

        assertThat(QuotaFile.read(file))
                .containsExactly(
                        new QuotaFileEntry(ClusterId.of("alpha"), UserName.of("anna"), 16),
                        new QuotaFileEntry(ClusterId.of("alpha"), UserName.of("bob.b@hpc.example"), 0));
        assertThat(QuotaFile.read(file(""))).isEmpty();
    }

    @Test
    void says_where_it_is_wrong_and_applies_nothing() throws IOException {
        assertWrong("quotas:\n  alpha:\n    anna: many\n", "line 3, column 11: 'many' is not a number of cores");
        assertWrong("quotas:\n  alpha:\n    anna: -1\n", "line 3, column 5: a quota cannot be negative: -1 cores");
        assertWrong("quotas:\n  alpha:\n    anna: 1\n    anna: 2\n", "line 4, column 5: a second quota for alpha/anna");
        assertWrong("quotas:\n  Alpha One:\n    anna: 1\n", "'Alpha One' is not a valid cluster name");
        assertWrong("quota:\n", "line 1, column 1: 'quota' is not known");
        assertWrong("quotas: [1]\n", "line 1, column 9: expected 'quotas:'");
        assertWrong("quotas:\n  alpha: {anna: 99999999999}\n", "'99999999999' is not a number of cores");
        assertWrong("quotas: {\n", "line 2");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuotaFile.read(folder.resolve("nowhere.yaml")))
                .withMessageContaining("nowhere.yaml cannot be read");
    }

    private void assertWrong(final String text, final String where) throws IOException {
        final Path file = file(text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuotaFile.read(file))
                .withMessageContaining(where);
    }

    private Path file(final String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "quotas", ".yaml"), text);
    }
}
