package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.access.Part.Service;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.job.StopRequested;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.Quota;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.log.ProjectedRecord;
import io.millrace.submit.kafka.SeekToStoredOffsets;
import io.millrace.submit.projection.ProjectedOffsets;
import io.millrace.submit.projection.UpdateReadModel;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.millrace.testing.Stack;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class ProjectionIT {

    /** No topic has partitions with this number, so the running channel does not read them. */
    private static final int APART = 7777;

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final List<String> TABLES = List.of(
            "global_job",
            "local_job",
            "cluster",
            "fact",
            "run_end",
            "ledger_line",
            "ledger_closing",
            "ledger_balance",
            "command",
            "outcome",
            "command_about",
            "job_change");

    @Inject
    UpdateReadModel projection;

    @Inject
    ProjectedOffsets offsets;

    @Inject
    DataSource database;

    @Inject
    SeekToStoredOffsets start;

    @ConfigProperty(name = "millrace.kafka.bootstrap-servers")
    String broker;

    /** A short history of all kinds of rows, including changes and deletions. */
    private static List<ProjectedRecord> history() {
        final JobSubmitted job =
                TestData.submitted(io.millrace.model.GlobalJobId.of("01KJMZ3Q00AAAAAAAAAAAAAAAA"), "anna", "h");
        final JobKey local = TestData.key(TestData.BETA, 1);
        final JobKey gone = TestData.key(TestData.BETA, 2);
        final Command start = new Command(
                Command.idOf(Issuer.BACKFILL, new Action.Start(local), 0),
                TestData.BETA,
                Issuer.BACKFILL,
                1,
                NOON,
                NOON.plusSeconds(60),
                List.of(),
                new Action.Start(local),
                "fits");
        final List<ProjectedRecord> records = new ArrayList<>();
        final Map<Topic, Long> next = new EnumMap<>(Topic.class);
        final List<Event> events = List.of(
                job,
                TestData.submitted(job.job(), "anna", "a second record of this id"),
                TestData.local(local, "anna", new JobState.Queued(), job.job().attempt(1)),
                TestData.local(gone, "ben", new JobState.Queued(), null),
                TestData.marker(TestData.BETA, 1, 12),
                TestData.job(job, new GlobalJobState.Waiting("looking"), 1),
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 2),
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 2),
                new Entitlement(local, EntitlementLevel.HELD, 1, "first"),
                new Entitlement(local, EntitlementLevel.BORROWED, 2, "second"),
                start,
                start,
                outcome(start, new Result.Begun()),
                outcome(start, new Result.Done(null, "started")),
                outcome(start, new Result.Failed("a second answer does not count")),
                TestData.local(
                        local,
                        "anna",
                        new JobState.Running(NOON, List.of()),
                        job.job().attempt(1)),
                new Quota(UserName.of("anna"), TestData.BETA, 8, UserName.of("olga"), "r", NOON, 1),
                new Transfer(
                        TransferId.of(job.job() + ".1/upload"),
                        job.job().attempt(1),
                        job.owner(),
                        new Place(TestData.ALPHA, null, "/a"),
                        new Place(TestData.BETA, null, "/b"),
                        new TransferState.Copying(0),
                        NOON,
                        "signature"),
                new StopRequested(job.job(), job.owner(), NOON, "enough"),
                new StopRequested(job.job(), UserName.of("olga"), NOON, "too late to count"),
                new RunEnded(
                        local,
                        "h",
                        job.job().attempt(1),
                        job.owner(),
                        null,
                        PartitionName.of("main"),
                        Resources.cores(4),
                        null,
                        1,
                        NOON,
                        NOON.plusSeconds(5),
                        new RunOutcome.Exited(0),
                        0,
                        "sacct",
                        null),
                TestData.booked(local, 1, "anna"),
                TestData.booked(local, 1, "ben"),
                new LedgerClosed(TestData.BETA, "2026-03", Instant.parse("2026-04-01T00:00:00Z"), NOON),
                new LedgerClosed(TestData.BETA, "2026-03", Instant.parse("2026-04-01T00:00:00Z"), NOON.plusSeconds(1)),
                TestData.booked(gone, 1, "ben", Instant.parse("2026-04-02T00:00:00Z"), "2026-W14", "2026-04", "2026"),
                new LedgerClosed(TestData.BETA, "2025", Instant.parse("2026-01-01T00:00:00Z"), NOON),
                TestData.placed(job, new GlobalJobState.End(new RunOutcome.Exited(0)), local, 3));
        events.forEach(event -> {
            final Topic topic = EventType.of(event).topic();
            records.add(new ProjectedRecord(
                    new LogPosition(topic.topicName(TestData.BETA), APART, next.merge(topic, 1L, Long::sum) - 1),
                    NOON,
                    event.key(),
                    event,
                    false));
        });
        for (final JobKey removed : List.of(gone, local)) {
            records.add(new ProjectedRecord(
                    new LogPosition(
                            Topic.CLUSTER_STATE.topicName(TestData.BETA),
                            APART,
                            next.merge(Topic.CLUSTER_STATE, 1L, Long::sum) - 1),
                    NOON,
                    JobObserved.keyOf(removed),
                    null,
                    false));
        }
        return records;
    }

    private static Outcome outcome(final Command command, final Result result) {
        return command.outcome(result, NOON);
    }

    /** Reads records one by one; every other way of reading must give the same result. */
    private List<String> reference(final List<ProjectedRecord> history) throws SQLException {
        wipe();
        history.forEach(record -> projection.apply(List.of(record)));
        return rows();
    }

    @Test
    void a_projection_that_ends_at_any_offset_and_reads_some_of_it_again_loses_and_repeats_nothing() throws Exception {
        final List<ProjectedRecord> history = history();
        final List<String> expected = reference(history);
        final List<String> expectedFeed = feed();
        assertThat(expected).hasSizeGreaterThan(9);

        for (int end = 0; end <= history.size(); end++) {
            wipe();
            history.subList(0, end).forEach(record -> projection.apply(List.of(record)));
            final int again = Math.max(0, end - 4);
            history.subList(again, history.size()).forEach(record -> projection.apply(List.of(record)));
            assertThat(rows()).as("ended before record %d", end).isEqualTo(expected);
            assertThat(feed()).as("feed, ended before record %d", end).isEqualTo(expectedFeed);
        }
    }

    @Test
    void batches_of_any_size_come_to_the_same_rows() throws Exception {
        final List<ProjectedRecord> history = history();
        final List<String> expected = reference(history);

        for (int size = 2; size <= history.size(); size++) {
            wipe();
            for (int from = 0; from < history.size(); from += size) {
                projection.apply(history.subList(from, Math.min(history.size(), from + size)));
            }
            assertThat(rows()).as("batches of %d", size).isEqualTo(expected);
        }
    }

    @Test
    void the_statements_of_a_batch_do_not_depend_on_its_size() throws Exception {
        wipe();
        final long one = statementsOf(jobs(1));
        final long many = statementsOf(jobs(60));

        assertThat(many - one).as("statements of 60 jobs and of one").isLessThan(60);
    }

    /** Jobs that are submitted and placed, and leave the queue of their cluster. */
    private List<ProjectedRecord> jobs(final int count) {
        final List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final JobSubmitted job = TestData.submitted(TestData.id(), "anna", "one of many");
            final JobKey local = TestData.key(TestData.BETA, 1000 + i);
            events.add(job);
            events.add(TestData.job(job, new GlobalJobState.Waiting("looking"), 1));
            events.add(
                    TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 2));
            events.add(TestData.local(
                    local, "anna", new JobState.Queued(), job.job().attempt(1)));
            events.add(new Entitlement(local, EntitlementLevel.BORROWED, 1, "fits"));
        }
        final Map<Topic, Long> next = new EnumMap<>(Topic.class);
        return events.stream()
                .map(event -> new ProjectedRecord(
                        new LogPosition(
                                EventType.of(event).topic().topicName(TestData.BETA),
                                APART,
                                offsets.next(EventType.of(event).topic().topicName(TestData.BETA), APART)
                                        + next.merge(EventType.of(event).topic(), 1L, Long::sum)
                                        - 1),
                        NOON,
                        event.key(),
                        event,
                        false))
                .toList();
    }

    private long statementsOf(final List<ProjectedRecord> batch) throws SQLException {
        final long before = statements();
        projection.apply(batch);
        return statements() - before;
    }

    private long statements() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("show global status like 'Questions'")) {
            result.next();
            return result.getLong(2);
        }
    }

    @Test
    void rows_and_offsets_are_one_transaction() throws Exception {
        final List<ProjectedRecord> history = history();
        final List<String> expected = reference(history);
        wipe();
        for (final ProjectedRecord record : history) {
            assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(() -> {
                        projection.apply(List.of(record));
                        throw new IllegalStateException("the process dies before the commit");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(offsets.next(record.position().topicName(), APART))
                    .isEqualTo(record.position().offset());
            projection.apply(List.of(record));
        }
        assertThat(rows()).isEqualTo(expected);
    }

    @Test
    void a_consumer_goes_on_at_the_stored_offset_wherever_that_is() {
        TestData.publish(TestData.submitted(TestData.id(), "anna", "one more"));
        final TopicPartition submissions = new TopicPartition(Topic.SUBMISSIONS.topicName(), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(List.of(submissions));
            ApiClient.as("anna")
                    .get(
                            "/api/v1/jobs",
                            "Millrace-Offset",
                            TestData.publish(TestData.submitted(TestData.id(), "anna", "last")));
            start.assigned(consumer, List.of(submissions));
            assertThat(consumer.position(submissions)).isEqualTo(offsets.next(Topic.SUBMISSIONS.topicName(), 0));
        }
    }

    @TestFactory
    List<DynamicTest> a_poisoned_message_is_put_aside_with_its_reason_and_the_rest_goes_on() {
        return Arrays.stream(Topic.values())
                .filter(topic ->
                        topic != Topic.FILE_REQUESTS && topic != Topic.FILE_ANSWERS) // not in the read model (ADR 23)
                .filter(topic -> topic != Topic.LOCKS && topic != Topic.NUMBERS) // each instance reads them for itself
                .map(topic -> DynamicTest.dynamicTest(topic.topicName(), () -> poison(topic)))
                .toList();
    }

    @Attack("an agent with the rights of its own cluster writes about a job and a run of another cluster")
    @Test
    void what_an_agent_writes_about_another_cluster_is_put_aside_and_changes_nothing() throws Exception {
        TestData.known(TestData.ALPHA);
        final JobSubmitted job = TestData.submitted(TestData.id(), "anna", "the victim's");
        final JobKey local = TestData.key(TestData.BETA, 4711);
        TestData.publish(job);
        TestData.publish(
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 1));
        final RunEnded foreign = run(local, job);
        final RunEnded disguised = run(TestData.key(TestData.ALPHA, 4711), job);
        final EventCodec codec = new EventCodec("agent/alpha");
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            final List<RecordMetadata> written = new ArrayList<>();
            for (final Event forged : List.of(
                    TestData.local(
                            local,
                            "anna",
                            new JobState.Running(NOON, List.of()),
                            job.job().attempt(1)),
                    foreign)) {
                final ProducerRecord<byte[], byte[]> record = codec.write(forged, Instant.now(), 1);
                written.add(producer.send(new ProducerRecord<>(
                                EventType.of(forged).topic().topicName(TestData.ALPHA),
                                0,
                                record.key(),
                                record.value(),
                                record.headers()))
                        .get());
            }
            written.forEach(ProjectionIT::awaitProjection);
            assertThat(deadLetters(Topic.CLUSTER_STATE))
                    .containsKey(written.getFirst().offset());
            assertThat(deadLetters(Topic.JOB_ENDS))
                    .containsKey(written.getLast().offset());
        }
        final ApiClient.Answer shown =
                ApiClient.as("anna").get("/api/v1/jobs/" + job.job(), "Millrace-Offset", TestData.publish(disguised));
        assertThat(shown.status()).isEqualTo(200);
        assertThat(query("local", "select * from local_job where job_key = '" + local + "'"))
                .isEmpty();
        assertThat(query("run", "select * from run_end where job_key = '" + local + "'"))
                .isEmpty();
        assertThat(ApiClient.as("anna")
                        .get("/api/v1/jobs/" + job.job() + "/why")
                        .response()
                        .body())
                .as("the runs of the attempt on beta")
                .doesNotContain("alpha/4711");
    }

    private static RunEnded run(final JobKey local, final JobSubmitted job) {
        return RunEnded.of(
                TestData.local(local, "anna", new JobState.Queued(), job.job().attempt(1)),
                1,
                NOON,
                NOON.plusSeconds(5),
                new RunOutcome.Exited(0),
                0,
                "sacct");
    }

    private static void awaitProjection(final RecordMetadata written) {
        final String position = written.topic() + "/" + written.partition() + "/" + written.offset();
        assertThat(ApiClient.as("anna")
                        .get("/api/v1/jobs?limit=1", "Millrace-Offset", position)
                        .status())
                .isEqualTo(200);
    }

    private void poison(final Topic topic) throws Exception {
        final EventType type = Arrays.stream(EventType.values())
                .filter(line -> line.topic() == topic)
                .findFirst()
                .orElseThrow();
        TestData.known(TestData.ALPHA);
        final String mark = "alpha/" + UUID.randomUUID();
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            final List<ProducerRecord<byte[], byte[]>> bad = new ArrayList<>();
            bad.add(record(topic, mark, "{\"half\": ", type.typeName()));
            bad.add(record(topic, mark, "{}", type.typeName()));
            bad.add(record(topic, mark, "{}", null));
            if (!topic.isCompacted()) {
                bad.add(new ProducerRecord<>(topic.topicName(TestData.ALPHA), 0, null, new byte[] {(byte) 0xff, 0, 1}));
            }
            bad.add(record(topic, mark, "[\"" + "x".repeat(100_000) + "\"]", type.typeName()));
            if (topic == Topic.CLUSTER_STATE) {
                bad.add(new ProducerRecord<>(
                        topic.topicName(TestData.ALPHA),
                        0,
                        "alpha/job/garbage".getBytes(StandardCharsets.UTF_8),
                        null));
            }
            final List<Long> positions = new ArrayList<>();
            for (final ProducerRecord<byte[], byte[]> record : bad) {
                positions.add(producer.send(record).get().offset());
            }
            final RecordMetadata unknown = producer.send(record(topic, mark, "{}", "millrace.something.new.v1"))
                    .get();

            final ApiClient.Answer answer = ApiClient.as("anna")
                    .get(
                            "/api/v1/jobs?limit=1",
                            "Millrace-Offset",
                            topic.topicName(TestData.ALPHA) + "/0/" + unknown.offset());

            assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
            final Map<Long, String> reasons = deadLetters(topic);
            assertThat(reasons).containsKeys(positions.toArray(Long[]::new)).doesNotContainKey(unknown.offset());
            assertThat(reasons.values()).allSatisfy(reason -> assertThat(reason).isNotBlank());
        }
    }

    private static ProducerRecord<byte[], byte[]> record(
            final Topic topic, final String key, final String value, final String type) {
        final ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic.topicName(TestData.ALPHA),
                0,
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8));
        if (type != null) {
            record.headers().add("ce_type", type.getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }

    /** Reasons by original offset. */
    private Map<Long, String> deadLetters(final Topic topic) {
        final Map<Long, String> reasons = new HashMap<>();
        final TopicPartition letters = new TopicPartition(Service.SUBMIT.deadLetters(), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(List.of(letters));
            consumer.seekToBeginning(List.of(letters));
            final long end = consumer.endOffsets(List.of(letters)).get(letters);
            while (consumer.position(letters) < end) {
                for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    if (header(record, "millrace_topic").equals(topic.topicName(TestData.ALPHA))
                            && header(record, "millrace_reader").equals("submit-service")) {
                        reasons.put(Long.valueOf(header(record, "millrace_offset")), header(record, "millrace_reason"));
                    }
                }
            }
        }
        return reasons;
    }

    private static String header(final ConsumerRecord<byte[], byte[]> record, final String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Clients.consumer(broker, "test-" + UUID.randomUUID(), Map.of()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Clients.producer(broker, Stack.PATIENT), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void wipe() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (final String table : TABLES) {
                statement.execute("delete from " + table);
            }
            statement.execute("update feed set last = 0");
            statement.execute("delete from projection_offset where partition_no = " + APART);
        }
    }

    /** All rows of all tables as text, except the feed, because a batch may skip intermediate states. */
    private List<String> rows() throws SQLException {
        final List<String> rows = new ArrayList<>();
        for (final String table : TABLES) {
            if (!table.equals("job_change")) {
                rows.addAll(query(table, "select * from " + table));
            }
        }
        rows.addAll(query("offset", "select * from projection_offset where partition_no = " + APART));
        return rows.stream().sorted().toList();
    }

    private List<String> feed() throws SQLException {
        return query("feed", "select * from job_change order by seq");
    }

    private List<String> query(final String name, final String sql) throws SQLException {
        final List<String> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                final StringBuilder row = new StringBuilder(name);
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.append('|').append(result.getString(i));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }
}
