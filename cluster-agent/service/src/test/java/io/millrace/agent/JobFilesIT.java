package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.file.JobFiles;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.identity.TestSigner;
import io.millrace.agent.kafka.FileRequestReader;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.model.AttemptId;
import io.millrace.model.UserName;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.file.FileAnswer;
import io.millrace.model.file.FileEntry;
import io.millrace.model.file.FileRequest;
import io.millrace.model.file.FileResult;
import io.millrace.model.job.FileFilters;
import io.millrace.model.protocol.Topic;
import io.millrace.model.transfer.FilterRule;
import io.millrace.testing.Attack;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a running job, read over the log by the agent of an embedded cluster; and what it must not read. */
class JobFilesIT {

    private static final UserName ANNA = UserName.of("anna");
    private static final Duration RESEND = Duration.ofSeconds(5);

    @TempDir
    Path home;

    @TempDir
    Path parent;

    private final Map<String, FileResult> answers = new HashMap<>();
    private Path directory;
    private final TestSigner signer = new TestSigner("submit");
    private FakeDeciders deciders;
    private AttemptId attempt;
    private FileRequestReader reader;
    private KafkaConsumer<byte[], byte[]> consumer;

    @BeforeEach
    void start() throws Exception {
        directory = TestAccounts.letIn(TestAccounts.give(Files.createDirectory(parent.resolve("job"))));
        final Path keys = home.resolve("keys.json");
        TestSigner.publish(keys, signer);
        final String kafka = Stack.kafka().bootstrapServers();
        deciders = new FakeDeciders(kafka);
        attempt = deciders.attempt();
        final Accounts accounts = TestAccounts.labels();
        reader = new FileRequestReader(
                kafka,
                Optional.empty(),
                deciders.cluster,
                new JobFiles(
                        new OwnerAccounts(accounts, new ProcessRunner(accounts, 1024 * 1024), true),
                        TransferSettings.of(parent.toString(), null),
                        new SubmissionSignature(keys)),
                Clock.systemUTC());
        reader.start();
        consumer = Clients.openConsumer(Clients.consumer(kafka, "test", Map.of()));
        final TopicPartition mine = deciders.partition(Topic.FILE_ANSWERS);
        consumer.assign(List.of(mine));
        consumer.seekToEnd(List.of(mine));
        consumer.position(mine);
    }

    @AfterEach
    void stop() {
        consumer.close();
        reader.close();
        deciders.close();
    }

    private FileRequest request(final String path, final Long offset, final int length) {
        return new FileRequest(
                UUID.randomUUID().toString(),
                deciders.cluster,
                ANNA,
                attempt.job(),
                directory.toString(),
                path,
                offset,
                length,
                null,
                ANNA,
                Instant.now().plusSeconds(600),
                "");
    }

    private FileRequest copySize(final String... rules) throws Exception {
        return signed(new FileRequest(
                UUID.randomUUID().toString(),
                deciders.cluster,
                ANNA,
                attempt.job(),
                directory.toString(),
                "",
                null,
                0,
                Stream.of(rules).map(FilterRule::of).toList(),
                ANNA,
                Instant.now().plusSeconds(600),
                ""));
    }

    private FileRequest signed(final FileRequest request) {
        return signer.sign(request);
    }

    /** Requests are only answered while the agent is there, so the request is repeated as a user would. */
    private FileResult answer(final FileRequest request) {
        final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
        while (Instant.now().isBefore(limit)) {
            deciders.put(request);
            final Instant resend = Instant.now().plus(RESEND);
            while (Instant.now().isBefore(resend)) {
                consumer.poll(Duration.ofMillis(100))
                        .forEach(record -> EventCodec.read(record).ifPresent(read -> {
                            if (read.event() instanceof FileAnswer one) {
                                answers.put(one.request(), one.result());
                            }
                        }));
                if (answers.containsKey(request.id())) {
                    return answers.get(request.id());
                }
            }
        }
        throw new AssertionError("no answer to " + request);
    }

    private FileResult read(final String path) throws Exception {
        return answer(signed(request(path, 0L, 1000)));
    }

    private static String text(final FileResult result) {
        assertThat(result).isInstanceOf(FileResult.Content.class);
        return new String(Base64.getDecoder().decode(((FileResult.Content) result).content()), StandardCharsets.UTF_8);
    }

    private static void isRefused(final FileResult result, final String reason) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        FileResult.Refused.class,
                        refused -> assertThat(refused.reason()).contains(reason));
    }

    private Path file(final String name, final String content) throws IOException {
        return TestAccounts.give(Files.writeString(directory.resolve(name), content));
    }

    @Test
    void the_output_of_a_running_job_is_read_from_its_end_and_then_as_it_grows() throws Exception {
        try (TestAgent agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home)) {
            final var job = deciders.submit(
                    attempt,
                    directory,
                    FakeDeciders.spec(
                            "#!/bin/sh\necho first\necho second\nuntil [ -e go ]; do sleep 0.1; done\necho third\n"
                                    + "exec sleep 600\n",
                            1));
            deciders.does(Issuer.MIGRATION, new Action.Release(job));
            deciders.does(Issuer.BACKFILL, new Action.Start(job));
            final String output = "millrace-" + attempt.job() + ".out";
            deciders.await("output", () -> sizeOf(output) == "first\nsecond\n".length());

            final FileResult tail = answer(signed(request(output, null, "second\n".length())));
            assertThat(text(tail)).isEqualTo("second\n");
            assertThat(((FileResult.Content) tail).size()).isEqualTo(13);
            assertThat(((FileResult.Content) tail).offset()).isEqualTo(6);

            file("go", "");
            deciders.await("more output", () -> sizeOf(output) == "first\nsecond\nthird\n".length());
            assertThat(text(answer(signed(request(output, 13L, 1000))))).isEqualTo("third\n");
            assertThat(text(answer(signed(request(output, 19L, 1000))))).isEmpty();
            agent.cluster.cancel(job);
            deciders.awaitEnd(job);
        }
    }

    private long sizeOf(final String name) {
        try {
            final Path file = directory.resolve(name);
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_folder_is_listed_without_following_its_links() throws Exception {
        file("b.txt", "12345");
        TestAccounts.give(Files.createDirectory(directory.resolve("a folder")));
        Files.createSymbolicLink(directory.resolve("c\nlink"), Path.of("/etc/shadow"));

        final FileResult found = read(".");

        assertThat(found).isInstanceOf(FileResult.Listing.class);
        assertThat(((FileResult.Listing) found).entries())
                .extracting(FileEntry::name, FileEntry::type)
                .containsExactly(
                        tuple("a folder", FileEntry.Type.FOLDER),
                        tuple("b.txt", FileEntry.Type.FILE),
                        tuple("c\\u000alink", FileEntry.Type.LINK));
        assertThat(((FileResult.Listing) read("a folder")).entries()).isEmpty();
    }

    @Test
    @Attack("a link or a path in the directory of a job leads to a file outside")
    void a_link_inside_the_directory_is_followed_and_one_that_leaves_it_is_refused() throws Exception {
        file("results", "42\n");
        Files.createSymbolicLink(directory.resolve("latest"), Path.of("results"));
        Files.createSymbolicLink(directory.resolve("shadow"), Path.of("/etc/shadow"));
        Files.createSymbolicLink(directory.resolve("up"), Path.of(".."));
        Files.writeString(parent.resolve("secret"), "of another job");

        assertThat(text(read("latest"))).isEqualTo("42\n");
        isRefused(read("shadow"), "is not in the job's directory");
        for (final String path : List.of("../secret", "up/secret", "up", "..", "/etc/passwd", "latest/../../secret")) {
            final FileResult result = read(path);
            assertThat(result).as(path).isNotInstanceOf(FileResult.Content.class);
            assertThat(result).as(path).isNotInstanceOf(FileResult.Listing.class);
        }
    }

    @Test
    @Attack("a pipe or device in the directory of a job blocks the reader")
    void pipes_and_devices_are_refused_at_once_and_missing_files_are_named() throws Exception {
        final Process pipe =
                new ProcessBuilder("mkfifo", directory.resolve("pipe").toString()).start();
        assertThat(pipe.waitFor()).isZero();
        TestAccounts.give(directory.resolve("pipe"));

        isRefused(read("pipe"), "device, pipe or socket");
        assertThat(read("no such file"))
                .isInstanceOfSatisfying(
                        FileResult.Missing.class,
                        missing -> assertThat(missing.reason()).contains("'no such file' not found in"));
    }

    @Test
    void the_size_of_a_copy_counts_the_files_that_its_filters_leave() throws Exception {
        file("input", "12345");
        file("grid.tmp", "x".repeat(1000));
        final Path folder = TestAccounts.give(Files.createDirectory(directory.resolve("a folder")));
        TestAccounts.give(Files.writeString(folder.resolve("more"), "678"));

        assertThat(answer(copySize())).isEqualTo(new FileResult.CopySize(3, 1008));
        assertThat(answer(copySize("- *.tmp"))).isEqualTo(new FileResult.CopySize(2, 8));
        file(".millrace-filter", "- more\n");
        assertThat(answer(copySize("- *.tmp", "- .millrace-filter"))).isEqualTo(new FileResult.CopySize(1, 5));
        isRefused(answer(copySize("- *.tmp").signed(copySize().signature())), "signed");
        TestAccounts.give(Files.writeString(folder.resolve("foreign"), "secret"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("---------"));
        isRefused(answer(copySize()), "Permission denied");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }

    /** Under root, the file belongs to root, and the owner of the job is an ordinary user. */
    @Test
    @Attack("a user reads a file through the agent that they cannot read themselves")
    void what_the_owner_cannot_read_is_not_read_for_the_owner() throws Exception {
        final Path foreign = Files.writeString(directory.resolve("foreign"), "secret");
        Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("---------"));

        isRefused(read("foreign"), "Permission denied");
    }

    @Test
    @Attack("a forged or changed request on the log reads a file of a user")
    void a_request_without_the_signature_of_submit_service_for_exactly_this_is_refused() throws Exception {
        file("results", "42\n");
        final FileRequest plain = request("results", 0L, 1000);
        final FileRequest other = request("other", 0L, 1000);

        isRefused(answer(request("results", 0L, 1000)), "cannot be read");
        isRefused(answer(request("results", 0L, 1000).signed(signed(other).signature())), "signed");
        isRefused(
                answer(plain.signed(signer.sign(new FileRequest(
                                plain.id(),
                                plain.cluster(),
                                UserName.of("mallory"),
                                plain.job(),
                                plain.directory(),
                                plain.path(),
                                plain.offset(),
                                plain.length(),
                                null,
                                plain.by(),
                                plain.validUntil(),
                                ""))
                        .signature())),
                "is signed for user 'mallory'");
        final String submission = signer.submission(
                new Authorization.Origin(
                        ANNA, null, attempt.job(), deciders.cluster, directory.toString(), FileFilters.NONE),
                FakeDeciders.spec("#!/bin/sh\n", 1),
                Instant.now().plusSeconds(600),
                Instant.now().plusSeconds(600));
        isRefused(answer(request("results", 0L, 1000).signed(submission)), "is for a submission");
    }

    @Test
    @Attack("a request on the log reads the files of root")
    void root_has_no_files_to_read_and_an_answer_has_a_limit() throws Exception {
        final FileRequest plain = request("results", 0L, 1000);
        final FileRequest asRoot = new FileRequest(
                plain.id(),
                plain.cluster(),
                UserName.of("root"),
                plain.job(),
                "/root",
                "",
                null,
                0,
                null,
                ANNA,
                plain.validUntil(),
                "");
        isRefused(answer(signed(asRoot)), "root");
        isRefused(answer(signed(request("x", 0L, FileRequest.MAX_BYTES + 1))), "invalid");
        file("large", "x".repeat(3 * FileRequest.MAX_BYTES));
        assertThat(text(answer(signed(request("large", 7L, FileRequest.MAX_BYTES)))))
                .hasSize(FileRequest.MAX_BYTES);
    }
}
