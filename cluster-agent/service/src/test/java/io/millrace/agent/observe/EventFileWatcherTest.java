package io.millrace.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.pbs.AccountingEvents;
import io.millrace.agent.wlm.EventFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFileWatcherTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir
    Path folder;

    private Path file;
    private final AtomicInteger woken = new AtomicInteger();
    private EventFileWatcher news;

    @BeforeEach
    void follow() throws IOException {
        file = folder.resolve("lsb.events");
        Files.writeString(file, "an old line\n");
        news = following(new EventFile("lsb.events", now -> file, line -> !line.startsWith("quiet"), "grant it"));
        news.poll();
        news.clear();
    }

    private EventFileWatcher following(final EventFile event) {
        return new EventFileWatcher(List.of(event), Clock.fixed(NOON, ZoneOffset.UTC), woken::incrementAndGet);
    }

    private boolean isNewsAfter(final String written) throws IOException {
        Files.writeString(file, written, StandardOpenOption.APPEND);
        return isNews();
    }

    private boolean isNews() {
        news.clear();
        news.poll();
        return news.hasEvents();
    }

    @Test
    void only_a_file_with_events_replaces_sooner_polls_and_only_while_it_can_be_read() throws IOException {
        final AtomicReference<Path> where = new AtomicReference<>(file);
        news = following(new EventFile("lsb.events", now -> where.get(), line -> true, "grant it"));
        assertThat(isNews()).isFalse();
        assertThat(news.isReceiving()).as("nothing was written yet").isFalse();
        assertThat(isNewsAfter("something\n")).isTrue();
        assertThat(news.isReceiving()).isTrue();
        where.set(Path.of("/" + "x".repeat(300) + "/lsb.events"));
        news.poll();
        assertThat(news.isReceiving()).isFalse();
    }

    @Test
    void no_events_come_from_a_missing_file_until_it_exists_again() throws IOException {
        assertThat(isNewsAfter("something\n")).isTrue();
        Files.delete(file);
        assertThat(isNews())
                .as("the poll shows what was written before the file went")
                .isTrue();
        assertThat(news.isReceiving()).isFalse();
        assertThat(news.sources()).containsEntry("lsb.events", "does not exist; followed as soon as it does");
        Files.writeString(file, "something else\n");
        assertThat(isNews()).isTrue();
        assertThat(news.isReceiving()).isTrue();
        assertThat(news.sources()).containsEntry("lsb.events", "followed");
    }

    @Test
    void a_file_that_never_existed_brings_no_events() {
        news = following(EventFile.of("millrace.ends", folder.resolve("millrace.ends"), "install jobcomp.lua"));
        assertThat(isNews()).isFalse();
        assertThat(isNews()).isFalse();
        assertThat(news.isReceiving()).isFalse();
    }

    /** PBS has the accounting log and the file of a hook. */
    @Test
    void another_file_in_which_nothing_is_written_does_not_replace_one_that_is_missing() throws IOException {
        final Path quiet = Files.writeString(folder.resolve("quiet"), "an old line\n");
        news = new EventFileWatcher(
                List.of(EventFile.of("quiet", quiet, "grant it"), EventFile.of("lsb.events", file, "grant it")),
                Clock.fixed(NOON, ZoneOffset.UTC),
                woken::incrementAndGet);
        news.poll();
        assertThat(isNewsAfter("something\n")).isTrue();
        assertThat(news.isReceiving()).isTrue();
        Files.delete(file);
        news.poll();
        assertThat(news.isReceiving()).isFalse();
    }

    @Test
    void what_stood_there_before_is_no_news() {
        assertThat(isNews()).isFalse();
        assertThat(woken).hasValue(0);
    }

    @Test
    void a_line_is_news_once_and_wakes() throws IOException {
        assertThat(isNewsAfter("something\n")).isTrue();
        assertThat(woken).hasValue(1);
        assertThat(isNews()).isFalse();
    }

    @Test
    void a_line_that_changes_no_picture_is_no_news() throws IOException {
        assertThat(isNewsAfter("quiet 1\nquiet 2\n")).isFalse();
        assertThat(isNewsAfter("quiet 3\nloud\nquiet 4\n")).isTrue();
    }

    @Test
    void half_a_line_is_read_when_it_is_whole() throws IOException {
        assertThat(isNewsAfter("qui")).isFalse();
        assertThat(isNewsAfter("et one\n")).isFalse();
        assertThat(isNewsAfter("lo")).isFalse();
        assertThat(isNewsAfter("ud\r\n")).isTrue();
    }

    @Test
    void bytes_that_are_no_letters_count_as_bytes() throws IOException {
        Files.write(file, "quiet größe\n".getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.APPEND);
        assertThat(isNews()).isFalse();
        assertThat(isNewsAfter("quiet 温度\n")).isFalse();
        assertThat(isNewsAfter("loud\n")).isTrue();
    }

    @Test
    void a_rotated_file_is_news_and_the_new_one_is_followed() throws IOException {
        Files.move(file, folder.resolve("lsb.events.1"));
        Files.writeString(file, "quiet, and much longer than what stood there before it was rotated\n");
        assertThat(isNews()).isTrue();
        assertThat(isNews()).isFalse();
        assertThat(isNewsAfter("quiet\n")).isFalse();
        assertThat(isNewsAfter("loud\n")).isTrue();
    }

    @Test
    void between_two_files_nothing_is_wrong() throws IOException {
        Files.move(file, folder.resolve("lsb.events.1"));
        assertThat(isNews()).isTrue();
        assertThat(isNews()).isFalse();
        Files.writeString(file, "quiet\n");
        assertThat(isNews()).isTrue();
        assertThat(news.sources()).containsEntry("lsb.events", "followed");
    }

    @Test
    void a_file_that_was_replaced_by_one_as_long_is_news() throws IOException {
        final Path next = folder.resolve("next");
        Files.writeString(next, "an odd line\n");
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(isNews()).isTrue();
    }

    @Test
    void a_file_that_was_cut_off_is_news_and_followed_on() throws IOException {
        Files.writeString(file, "");
        assertThat(isNews()).isTrue();
        assertThat(isNewsAfter("quiet\n")).isFalse();
        assertThat(isNewsAfter("loud\n")).isTrue();
    }

    @Test
    void a_flood_is_news_without_being_read() throws IOException {
        assertThat(isNewsAfter("quiet\n".repeat(100_000))).isTrue();
        assertThat(isNewsAfter("quiet\n")).isFalse();
    }

    @Test
    void times_in_it_and_of_it_do_not_matter() throws IOException {
        Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.from(NOON.minus(Duration.ofDays(9))));
        assertThat(isNews()).isFalse();
        assertThat(isNewsAfter("\"JOB_NEW\" \"10.1\" 17 101\n")).isTrue();
    }

    @Test
    void a_missing_folder_is_reported_with_the_remedy() {
        final Path nowhere = folder.resolve("none/lsb.events");
        news = following(EventFile.of("lsb.events", nowhere, "set millrace.agent.lsf.log-dir"));
        news.poll();
        assertThat(news.hasEvents()).isFalse();
        assertThat(news.sources().get("lsb.events"))
                .contains(nowhere.getParent().toString())
                .endsWith("set millrace.agent.lsf.log-dir");
    }

    @Test
    void an_unreadable_file_is_reported_with_the_remedy_until_it_is_readable() {
        // Root may read everything: a name that no file system takes stands for what it refuses.
        final AtomicReference<Path> where = new AtomicReference<>(Path.of("/" + "x".repeat(300) + "/lsb.events"));
        news = following(new EventFile("lsb.events", now -> where.get(), line -> true, "setfacl -m u:millrace:r FILE"));
        news.poll();
        assertThat(news.sources().get("lsb.events"))
                .startsWith("cannot be read")
                .endsWith("u:millrace:r FILE");
        where.set(file);
        news.poll();
        assertThat(news.sources()).containsEntry("lsb.events", "followed");
    }

    @Test
    void refusals_of_the_system_name_the_privilege() {
        final IOException refused = new java.nio.file.AccessDeniedException(file.toString());
        assertThat(EventFileWatcher.reason(new EventFile("lsb.events", now -> file, line -> true, "grant it"), refused))
                .isEqualTo("permission denied: " + file + "; grant it");
        assertThat(EventFileWatcher.reason(
                        new EventFile("lsb.events", now -> file, line -> true, "grant it"),
                        new FileSystemException(file.toString(), null, "Stale file handle")))
                .contains("Stale file handle", "grant it");
    }

    @Test
    void a_new_day_of_the_server_has_a_new_accounting_file() throws IOException {
        final EventFile accounting = AccountingEvents.in(folder, ZoneId.of("Pacific/Auckland"));
        assertThat(accounting.at().apply(NOON)).isEqualTo(folder.resolve("20261122"));
        final AtomicReference<Instant> now = new AtomicReference<>(NOON.minus(Duration.ofHours(2)));
        final EventFileTail followed = new EventFileTail(accounting);
        Files.writeString(folder.resolve("20261121"), "11/21/2026 20:00:00;Q;7[].srv;queue=q\n");
        assertThat(followed.hasNewEvents(now.get())).isFalse();
        assertThat(followed.hasNewEvents(NOON)).isTrue(); // midnight there
        assertThat(followed.hasNewEvents(NOON)).isFalse();
        Files.writeString(folder.resolve("20261122"), "");
        followed.hasNewEvents(NOON);
        Files.writeString(folder.resolve("20261122"), "11/22/2026 01:00:00;L;license;floating 3\n");
        assertThat(followed.hasNewEvents(NOON)).isFalse();
        Files.writeString(
                folder.resolve("20261122"), "11/22/2026 01:00:01;E;7[3].srv;user=a\n", StandardOpenOption.APPEND);
        assertThat(followed.hasNewEvents(NOON)).isTrue();
    }
}
