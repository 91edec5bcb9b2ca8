package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.log.ProjectedRecord;
import io.millrace.submit.projection.LedgerTopic;
import io.millrace.submit.projection.ProjectedOffsets;
import io.millrace.submit.projection.RebuildLedger;
import io.millrace.submit.projection.UpdateReadModel;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class StatementsIT {

    private final String user = "s" + UUID.randomUUID().toString().substring(0, 8);
    private final ApiClient mine = ApiClient.as(user);
    private final int job = UUID.randomUUID().hashCode() & 0xffffff;

    private static final Instant APRIL = Instant.parse("2026-04-01T00:00:00Z");
    private final ClusterId cluster =
            ClusterId.of("c" + UUID.randomUUID().toString().substring(0, 8));

    @Inject
    DataSource database;

    @Inject
    UpdateReadModel projection;

    @Inject
    ProjectedOffsets offsets;

    @Inject
    RebuildLedger rebuild;

    @Inject
    LedgerTopic ledger;

    @ConfigProperty(name = "millrace.kafka.bootstrap-servers")
    String broker;

    @BeforeEach
    void an_empty_ledger() throws SQLException {
        sql("delete from ledger_line");
        sql("delete from ledger_closing");
        sql("delete from ledger_balance");
    }

    private void sql(final String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement todo = connection.createStatement()) {
            todo.execute(statement);
        }
    }

    /** Two runs in March, one of them reported after March was closed, and one in April. */
    private String marchIsClosed() {
        TestData.publish(TestData.booked(TestData.key(cluster, 1), 1, user));
        TestData.publish(new LedgerClosed(cluster, "2026-03", APRIL, APRIL.plusSeconds(604_800)));
        final LedgerEntry known = TestData.booked(
                TestData.key(cluster, 2),
                1,
                user,
                Instant.parse("2026-03-31T20:00:00Z"),
                "2026-W15",
                "2026-04",
                "2026");
        TestData.publish(new LedgerEntry(
                known.job(),
                known.run(),
                known.user(),
                known.project(),
                known.endedAt(),
                known.periods(),
                known.ratePermille(),
                known.postings(),
                new LedgerEntry.Surcharge("urgent", 1500),
                Instant.parse("2026-04-09T08:00:00Z")));
        return TestData.publish(TestData.booked(
                TestData.key(cluster, 3),
                1,
                user,
                Instant.parse("2026-04-02T10:00:00Z"),
                "2026-W14",
                "2026-04",
                "2026"));
    }

    private JsonNode statement(final String period, final String... headers) {
        return mine.get("/api/v1/statements/" + period, headers).body();
    }

    /** */
    @Test
    void the_statement_of_a_closed_period_never_changes_and_opens_the_next() throws SQLException {
        marchIsClosed();
        // Must not happen: a late entry of a closed period.
        final String stray = TestData.publish(TestData.booked(TestData.key(cluster, 4), 1, user));
        final JsonNode march = statement("2026-03", "Millrace-Offset", stray);
        assertThat(march.path("closed").asBoolean()).isTrue();
        assertThat(march.path("cost").path("coreSeconds").asLong()).isEqualTo(2700);
        assertThat(march.path("sums").get(0).path("runs").asLong()).isEqualTo(1);

        final JsonNode april = statement("2026-04");
        assertThat(april.path("closed").asBoolean()).isFalse();
        assertThat(april.path("opening").path("coreSeconds").asLong()).isEqualTo(2700);
        assertThat(april.path("cost").path("coreSeconds").asLong()).isEqualTo(5400);
        assertThat(statement("2026").path("cost").path("coreSeconds").asLong()).isEqualTo(8100);
        assertThat(mine.get("/api/v1/statements/2026-04/postings").response().body())
                .contains("2026-04-09T08:00:00Z,")
                .contains(",2026-03-31T20:00:00Z,urgent,1500");

        sql("delete from ledger_line where cluster = '" + cluster + "' and booked < '2026-04-01'");
        assertThat(statement("2026-03")).as("whatever becomes of the lines").isEqualTo(march);
    }

    /** */
    @Test
    void a_ledger_rebuilt_from_its_closed_months_and_the_log_is_the_same() throws Exception {
        statement("2026-03", "Millrace-Offset", marchIsClosed());
        final List<String> before = rows();
        assertThat(ledger.isConsumed())
                .as("so the service would refuse it at its start")
                .isTrue();
        sql("update ledger_line set core_seconds = core_seconds + 1 where job_key like '" + cluster + "/2@%'");
        sql("delete from ledger_line where job_key like '" + cluster + "/3@%' and line = 1");
        sql("update ledger_line set entry = 0x00 where job_key like '" + cluster + "/3@%'");
        assertThat(rows()).isNotEqualTo(before);

        assertThat(rebuild.rebuild()).as("lines of April").isEqualTo(3);
        readAgain();

        assertThat(rows()).isEqualTo(before);
    }

    /** Reads again from the stored offsets, as the channel does after a restart. */
    private void readAgain() {
        final List<TopicPartition> partitions = IntStream.range(0, 3)
                .mapToObj(number -> new TopicPartition(Topic.LEDGER.topicName(), number))
                .toList();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Clients.consumer(broker, "test-" + user, Map.of()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            partitions.forEach(one -> consumer.seek(one, offsets.next(one.topic(), one.partition())));
            final Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
                final List<ProjectedRecord> batch = new ArrayList<>();
                for (final ConsumerRecord<byte[], byte[]> raw : consumer.poll(Duration.ofMillis(200))) {
                    batch.add(recorded(raw));
                }
                if (!batch.isEmpty()) {
                    projection.apply(batch);
                }
            }
        }
    }

    private static ProjectedRecord recorded(final ConsumerRecord<byte[], byte[]> raw) {
        final LogPosition at = new LogPosition(raw.topic(), raw.partition(), raw.offset());
        final Instant time = Instant.ofEpochMilli(raw.timestamp());
        try {
            return EventCodec.read(raw)
                    .map(read -> new ProjectedRecord(at, time, read.key(), read.event(), false))
                    .orElseGet(() -> ProjectedRecord.skipped(at, time));
        } catch (UnreadableMessageException e) {
            return ProjectedRecord.skipped(at, time);
        }
    }

    /** The ledger's rows of this cluster. */
    private List<String> rows() throws SQLException {
        final List<String> rows = new ArrayList<>();
        for (final String table : List.of("ledger_line", "ledger_closing", "ledger_balance")) {
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("select * from " + table + " where cluster = '" + cluster + "'")) {
                while (row.next()) {
                    final StringBuilder text = new StringBuilder(table);
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        text.append('|').append(row.getString(i));
                    }
                    rows.add(text.toString());
                }
            }
        }
        return rows.stream().sorted().toList();
    }

    private String twoRunsOneOfThemTwice() {
        TestData.publish(TestData.booked(TestData.key(TestData.ALPHA, job), 1, user));
        TestData.publish(TestData.booked(TestData.key(TestData.ALPHA, job), 2, user));
        return TestData.publish(TestData.booked(TestData.key(TestData.ALPHA, job), 1, user));
    }

    @Test
    void a_statement_sums_what_runs_cost_within_a_week_a_month_or_a_year() {
        final String written = twoRunsOneOfThemTwice();
        for (final String period : new String[] {"2026-W09", "2026-03", "2026"}) {
            final JsonNode statement = mine.get("/api/v1/statements/" + period, "Millrace-Offset", written)
                    .body();
            assertThat(statement.path("cost").path("coreSeconds").asLong()).isEqualTo(5400);
            assertThat(statement.path("sums")).hasSize(1);
            final JsonNode sum = statement.path("sums").get(0);
            assertThat(sum.path("project").asText()).isEqualTo("physics");
            assertThat(sum.path("runs").asLong()).isEqualTo(2);
            assertThat(sum.path("refunded").path("coreSeconds").asLong()).isEqualTo(1800);
        }
        assertThat(mine.get("/api/v1/statements/2026-04").body().path("sums")).isEmpty();
        assertThat(mine.get("/api/v1/statements/2026-03?project=chemistry")
                        .body()
                        .path("sums"))
                .isEmpty();
    }

    @Test
    void a_statement_is_its_owners_and_the_operators() {
        final String written = twoRunsOneOfThemTwice();
        final String theirs = "/api/v1/statements/2026-03?user=" + user;
        assertThat(ApiClient.as("mallory")
                        .get(theirs, "Millrace-Offset", written)
                        .status())
                .isEqualTo(403);
        assertThat(ApiClient.as("mallory")
                        .get("/api/v1/statements/2026-03")
                        .response()
                        .body())
                .doesNotContain(user);
        assertThat(ApiClient.as("mallory")
                        .get("/api/v1/statements/2026-03/postings?user=" + user)
                        .status())
                .isEqualTo(403);
        assertThat(ApiClient.as(TestSite.OPERATOR)
                        .get(theirs, "Millrace-Offset", written)
                        .body()
                        .path("sums"))
                .hasSize(1);
    }

    @Test
    void the_postings_come_as_csv_page_by_page() {
        final String written = twoRunsOneOfThemTwice();
        final String csv = mine.get("/api/v1/statements/2026-03/postings", "Millrace-Offset", written)
                .response()
                .body();
        assertThat(csv.lines()).hasSize(5);
        assertThat(csv)
                .startsWith("bookedAt,job,run,user,project,kind,debit,credit,coreSeconds,gpuSeconds,ratePermille,"
                        + "endedAt,class,classPermille\r\n")
                .contains(
                        ",physics,REFUND,loss/alpha,use/" + user + "/physics,900,0,1000,2026-03-01T12:00:00Z,,1000\r\n",
                        ",physics,CHARGE,use/" + user
                                + "/physics,cluster/alpha,3600,0,1000,2026-03-01T12:00:00Z,,1000\r\n");
        final StringBuilder pages = new StringBuilder();
        String after = "";
        while (after != null) {
            final ApiClient.Answer page = mine.get("/api/v1/statements/2026-03/postings?limit=1" + after);
            assertThat(page.status()).isEqualTo(200);
            page.response()
                    .body()
                    .lines()
                    .skip(1)
                    .forEach(line -> pages.append(line).append("\r\n"));
            final String next = page.header("Millrace-Next");
            after = next == null ? null : "&after=" + next;
        }
        assertThat(csv).endsWith("\r\n" + pages);
        assertThat(pages.toString().lines()).hasSize(4);
    }

    @Test
    void an_invalid_period_is_refused() {
        for (final String wrong : new String[] {"2026-13", "2026-W54", "march", "2026-3"}) {
            final ApiClient.Answer answer = mine.get("/api/v1/statements/" + wrong);
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.response().body()).contains("is not a valid period; use a week (2026-W47)");
        }
    }
}
