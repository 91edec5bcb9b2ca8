package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir
    Path folder;

    private Path file(final String name, final Duration age) throws Exception {
        final Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
        Files.setLastModifiedTime(file, FileTime.from(NOON.minus(age)));
        return file;
    }

    @Test
    void what_a_killed_agent_left_behind_is_removed_and_nothing_else() throws Exception {
        final Path left = file("millrace-input-123", Duration.ofHours(1));
        final Path inUse = file("millrace-input-456", Duration.ofMinutes(1));
        final Path other = file("other", Duration.ofDays(9));
        final Path link = Files.createSymbolicLink(folder.resolve("millrace-input-789"), other);

        InputFile.removeLeftBehind(folder, new Accounts().own(), NOON);

        assertThat(left).doesNotExist();
        assertThat(inUse).exists();
        assertThat(other).exists();
        assertThat(link).exists();
    }

    @Test
    void the_files_of_other_accounts_are_left_to_them() throws Exception {
        final Path left = file("millrace-input-123", Duration.ofHours(1));
        final Account own = new Accounts().own();
        InputFile.removeLeftBehind(
                folder, new Account(own.name(), own.uid() + 1, own.gid(), own.home(), own.shell()), NOON);
        assertThat(left).exists();
    }
}
