package io.millrace.log.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import io.millrace.log.Topics;
import io.millrace.log.access.BrokerAccess.Name;
import io.millrace.log.access.Part.Agent;
import io.millrace.log.access.Part.LogReader;
import io.millrace.log.access.Part.Operator;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Attack;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table on a broker that refuses everything else, each part with its own account. */
class AccessIT {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final ClusterId BETA = ClusterId.of("beta");
    private static final Part.Tool TOOL = new Part.Tool("workflows");
    private static final byte[] TEXT = {1};

    @TempDir
    static Path folder;

    private static EmbeddedKafka kafka;
    private static Admin admin;
    private static List<String> topics;

    /** Creates the accounts, and with each account the topics of its part. */
    @BeforeAll
    static void start() throws Exception {
        final Path login = login("millrace", folder.resolve("admin.properties"));
        for (final Part part : parts().toList()) {
            login(part.account(), file(part));
        }
        kafka = EmbeddedKafka.start(folder.resolve("data"), 0, login, folder);
        admin = Clients.openAdmin(kafka.bootstrapServers(), patient(login));
        BrokerAccounts.run(
                System.out,
                Stream.concat(
                                Stream.of(
                                        "grant",
                                        "--bootstrap-server=" + kafka.bootstrapServers(),
                                        "--command-config=" + login),
                                parts().map(Part::id))
                        .toArray(String[]::new));
        Clients.useEverywhere(Map.of());
        for (final Part part : parts().toList()) {
            try (Admin own = admin(part)) {
                Topics.create(own, List.of(part), 3, 1);
            }
        }
        try (Admin submit = admin(Service.SUBMIT)) {
            submit.createTopics(List.of(
                            new NewTopic(TOOL.submissions(), 1, (short) 1), new NewTopic(TOOL.answers(), 1, (short) 1)))
                    .all()
                    .get();
        }
        topics = admin.listTopics().names().get().stream().sorted().toList();
        try (Producer<byte[], byte[]> writer =
                Clients.openProducer(Clients.producer(kafka.bootstrapServers(), patient(login)))) {
            for (final String topic : topics) {
                writer.send(new ProducerRecord<>(topic, 0, TEXT, TEXT)).get();
            }
        }
    }

    @AfterAll
    static void stop() {
        admin.close();
        kafka.close();
    }

    static Stream<Part> parts() {
        return Stream.concat(
                Stream.of(Service.values()), Stream.of(new Agent(ALPHA), new Agent(BETA), TOOL, new Operator()));
    }

    private static Path login(final String account, final Path file) throws IOException {
        Files.writeString(file, """
            security.protocol=SASL_PLAINTEXT
            sasl.mechanism=SCRAM-SHA-512
            sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="%s" password="of-%s";
            """.formatted(account, account));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Path file(final Part part) {
        return folder.resolve(part.account() + ".properties");
    }

    private static Map<String, Object> patient(final Path login) {
        final Map<String, Object> settings = new HashMap<>(ClientProperties.read(login));
        settings.putAll(Stack.PATIENT);
        return settings;
    }

    private static Admin admin(final Part part) {
        return Clients.openAdmin(kafka.bootstrapServers(), patient(file(part)));
    }

    private static Producer<byte[], byte[]> producer(final Part part) {
        return Clients.openProducer(Clients.producer(kafka.bootstrapServers(), patient(file(part))));
    }

    private static boolean covers(final List<Name> names, final String name) {
        return names.stream()
                .anyMatch(each -> each.isPrefix() ? name.startsWith(each.text()) : name.equals(each.text()));
    }

    @Test
    void every_topic_of_the_table_is_created_by_the_part_that_may() {
        final Set<String> expected = new TreeSet<>();
        for (final Topic topic : Topic.values()) {
            if (topic.isPerCluster()) {
                expected.add(topic.topicName(ALPHA));
                expected.add(topic.topicName(BETA));
            } else {
                expected.add(topic.topicName());
            }
        }
        parts().filter(LogReader.class::isInstance)
                .map(part -> ((LogReader) part).deadLetters())
                .forEach(expected::add);
        expected.addAll(List.of(TOOL.submissions(), TOOL.answers()));
        assertThat(topics).containsExactlyElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("parts")
    @Attack("a part reads topics that it has no business with, one by one")
    void a_part_reads_what_its_row_says_and_no_other_topic(final Part part) {
        final BrokerAccess row = BrokerAccess.of(part);
        final Set<String> read = new TreeSet<>();
        final Set<String> refused = new TreeSet<>();
        final Map<String, Object> settings = Clients.consumer(kafka.bootstrapServers(), "none", patient(file(part)));
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.openConsumer(settings)) {
            for (final String topic : topics) {
                (reads(consumer, topic) ? read : refused).add(topic);
            }
        }
        assertThat(read)
                .containsExactlyElementsOf(topics.stream()
                        .filter(topic -> covers(row.readNames(), topic))
                        .toList());
        assertThat(read.size() + refused.size()).isEqualTo(topics.size());
    }

    private static boolean reads(final KafkaConsumer<byte[], byte[]> consumer, final String topic) {
        final TopicPartition first = new TopicPartition(topic, 0);
        consumer.assign(List.of(first));
        try {
            consumer.seekToBeginning(List.of(first));
            while (consumer.poll(Duration.ofMillis(100)).isEmpty()) {
                // The topic has a record.
            }
            return true;
        } catch (final TopicAuthorizationException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("parts")
    @Attack("a part writes to topics of others, one by one, also their dead letters")
    void a_part_writes_what_its_row_says_and_no_other_topic(final Part part) throws Exception {
        final BrokerAccess row = BrokerAccess.of(part);
        final Set<String> written = new TreeSet<>();
        final Set<String> refused = new TreeSet<>();
        try (Producer<byte[], byte[]> producer = producer(part)) {
            for (final String topic : topics) {
                try {
                    producer.send(new ProducerRecord<>(topic, 0, TEXT, TEXT)).get();
                    written.add(topic);
                } catch (final ExecutionException | KafkaException e) {
                    // A producer without any right to write fails at once, after it has learned so.
                    assertThat(e).hasCauseInstanceOf(AuthorizationException.class);
                    refused.add(topic);
                }
            }
        }
        assertThat(written)
                .containsExactlyElementsOf(topics.stream()
                        .filter(topic -> covers(row.writeNames(), topic))
                        .toList());
        assertThat(written.size() + refused.size()).isEqualTo(topics.size());
    }

    /** Groups and transactional ids of all parts, those of a prefix with an ending. */
    private static Set<String> names(final Function<BrokerAccess, List<Name>> which) {
        final Set<String> all = new TreeSet<>();
        parts().map(BrokerAccess::of)
                .flatMap(row -> which.apply(row).stream())
                .map(name -> name.isPrefix() ? name.text() + "0" : name.text())
                .forEach(all::add);
        return all;
    }

    @ParameterizedTest
    @MethodSource("parts")
    @Attack("a part moves the offsets of another part's consumer group, so that it skips records")
    void a_part_commits_offsets_of_its_groups_and_of_no_other(final Part part) throws Exception {
        final BrokerAccess row = BrokerAccess.of(part);
        final Set<String> groups = names(BrokerAccess::groups);
        final Set<String> committed = new HashSet<>();
        final TopicPartition own = new TopicPartition(
                topics.stream()
                        .filter(topic -> covers(row.readNames(), topic))
                        .findFirst()
                        .orElseThrow(),
                0);
        try (Admin mine = admin(part)) {
            for (final String group : groups) {
                if (isAllowed(mine.alterConsumerGroupOffsets(group, Map.of(own, new OffsetAndMetadata(1)))
                        .all())) {
                    committed.add(group);
                }
            }
        }
        assertThat(groups).hasSize(10);
        assertThat(committed)
                .containsExactlyInAnyOrderElementsOf(groups.stream()
                        .filter(group -> covers(row.groups(), group))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("parts")
    @Attack("a part fences another part's writer by its transactional id")
    void a_part_opens_its_transactional_ids_and_no_other(final Part part) throws Exception {
        final BrokerAccess row = BrokerAccess.of(part);
        final Set<String> ids = names(BrokerAccess::transactions);
        final Set<String> opened = new HashSet<>();
        try (Admin mine = admin(part)) {
            for (final String id : ids) {
                if (isAllowed(mine.fenceProducers(List.of(id)).all())) {
                    opened.add(id);
                }
            }
        }
        assertThat(ids).hasSize(9);
        assertThat(opened)
                .containsExactlyInAnyOrderElementsOf(ids.stream()
                        .filter(id -> covers(row.transactions(), id))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("parts")
    @Attack("a part creates, deletes or changes topics, or gives itself rights")
    void a_part_creates_its_own_topics_and_administers_nothing(final Part part) throws Exception {
        final BrokerAccess row = BrokerAccess.of(part);
        final List<String> wanted = new ArrayList<>(topics);
        wanted.add("millrace.commands.gamma");
        wanted.add("millrace.dlq.agent.gamma");
        wanted.add("other");
        final Set<String> allowed = new TreeSet<>();
        try (Admin mine = admin(part)) {
            for (final String topic : wanted) {
                final var created = mine.createTopics(
                        List.of(new NewTopic(topic, 1, (short) 1)), new CreateTopicsOptions().validateOnly(true));
                if (isAllowed(created.all())) {
                    allowed.add(topic);
                }
            }
            for (final String topic : topics) {
                assertThat(isAllowed(mine.deleteTopics(List.of(topic)).all()))
                        .as("deletes " + topic)
                        .isFalse();
            }
            assertThat(isAllowed(mine.createAcls(BrokerAccess.of(Service.SUBMIT).bindings())
                            .all()))
                    .isFalse();
            assertThat(isAllowed(mine.describeAcls(AclBindingFilter.ANY).values()))
                    .isFalse();
            assertThatThrownBy(() -> mine.alterUserScramCredentials(
                                    List.of(new UserScramCredentialDeletion("millrace", ScramMechanism.SCRAM_SHA_512)))
                            .all()
                            .get())
                    .hasCauseInstanceOf(ClusterAuthorizationException.class);
        }
        final Set<String> own = new TreeSet<>(row.creates());
        if (part == Service.SUBMIT) { // it creates the topics of each tool that is registered
            own.addAll(List.of(TOOL.submissions(), TOOL.answers()));
        }
        assertThat(allowed).containsExactlyElementsOf(own);
        assertThat(admin.listTopics().names().get()).containsAll(topics);
    }

    /** False if the broker refuses it for want of rights; other answers mean that the right is there. */
    private static boolean isAllowed(final KafkaFuture<?> answer) throws InterruptedException {
        try {
            answer.get();
            return true;
        } catch (final ExecutionException e) {
            return !(e.getCause() instanceof AuthorizationException);
        }
    }

    @Test
    @Attack("a part logs in with the password of another part, as the account of the broker, or not at all")
    void an_account_is_only_itself() throws Exception {
        final Path wrong = folder.resolve("wrong.properties");
        for (final String account : List.of("millrace", "millrace-submit", "../admin", "admin", "nobody")) {
            login(account, wrong);
            Files.writeString(wrong, Files.readString(wrong).replace("of-" + account, "of-millrace-agent-alpha"));
            try (Admin mine = Clients.openAdmin(kafka.bootstrapServers(), ClientProperties.read(wrong))) {
                assertThatThrownBy(() -> mine.listTopics().names().get())
                        .as(account)
                        .hasCauseInstanceOf(SaslAuthenticationException.class);
            }
        }
        final Map<String, Object> none = Map.of("default.api.timeout.ms", 3_000, "request.timeout.ms", 2_000);
        try (Admin mine = Clients.openAdmin(kafka.bootstrapServers(), none)) {
            assertThatThrownBy(() -> mine.listTopics().names().get()).isInstanceOf(ExecutionException.class);
        }
    }

    @Test
    void a_cluster_that_is_added_while_the_broker_runs_gets_account_and_rights() throws Exception {
        final Agent gamma = new Agent(ClusterId.of("gamma"));
        login(gamma.account(), file(gamma));
        try (Admin mine = admin(gamma)) {
            assertThatThrownBy(() -> Topics.create(mine, List.of(gamma), 3, 1))
                    .hasMessageContaining("cannot be created");
            assertThat(new BrokerAccounts(admin).grant(List.of(BrokerAccess.of(gamma))))
                    .anySatisfy(line -> assertThat(line).contains("Write topic " + gamma.deadLetters()));
            Topics.create(mine, List.of(gamma), 3, 1);
        }
        assertThat(new BrokerAccounts(admin).grant(List.of(BrokerAccess.of(gamma))))
                .isEmpty();
        admin.deleteTopics(BrokerAccess.of(gamma).creates()).all().get();
    }

    @Test
    void rights_that_the_table_does_not_give_are_removed() throws Exception {
        final BrokerAccess row = BrokerAccess.of(new Agent(BETA));
        final BrokerAccess more = new BrokerAccess(
                row.part(),
                row.reads(),
                Set.of(Topic.CLUSTER_STATE, Topic.JOB_ENDS, Topic.OUTCOMES, Topic.FILE_ANSWERS, Topic.SUBMISSIONS),
                row.groups(),
                row.watched(),
                row.transactions());
        assertThat(new BrokerAccounts(admin).grant(List.of(more))).hasSize(1);
        assertThat(new BrokerAccounts(admin).grant(List.of(row)))
                .containsExactly("removed User:millrace-agent-beta Write topic millrace.submissions");
    }
}
