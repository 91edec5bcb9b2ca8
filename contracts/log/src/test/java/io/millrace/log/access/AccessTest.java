package io.millrace.log.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.access.Part.Agent;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.Attack;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class AccessTest {

    private static final Agent ALPHA = new Agent(ClusterId.of("alpha"));

    @Test
    void a_part_has_the_id_that_commands_use() {
        assertThat(Stream.concat(Stream.of(Service.values()), Stream.of(ALPHA, new Part.Operator())))
                .allSatisfy(part -> assertThat(Part.named(part.id())).isEqualTo(part));
        assertThat(ALPHA.account()).isEqualTo("millrace-agent-alpha");
        assertThat(ALPHA.deadLetters()).isEqualTo("millrace.dlq.agent.alpha");
        for (final String wrong : List.of("", "Quota", "agent-", "agent-A", "agent-*", "tool", "agent-a.b")) {
            assertThatThrownBy(() -> Part.named(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @Attack("an agent whose cluster has a name that begins with that of another gets the rights of the other")
    void the_names_of_an_agents_rights_are_exact() {
        assertThat(BrokerAccess.of(ALPHA).bindings())
                .allSatisfy(acl -> assertThat(acl.pattern().patternType()).isEqualTo(PatternType.LITERAL))
                .noneSatisfy(acl -> assertThat(acl.pattern().name()).isEqualTo("*"));
    }

    @Test
    void only_submit_and_migration_and_classifier_read_what_users_submit() {
        assertThat(Stream.concat(Stream.of(Service.values()), Stream.of(ALPHA))
                        .filter(part -> BrokerAccess.of(part).reads().contains(Topic.SUBMISSIONS)))
                .containsExactly(Service.CLASSIFIER, Service.MIGRATION, Service.SUBMIT);
        assertThat(Stream.of(Service.values())
                        .filter(part -> BrokerAccess.of(part).reads().contains(Topic.FILE_ANSWERS)))
                .containsExactly(Service.SUBMIT);
    }

    @Test
    void each_compacted_topic_but_plans_and_quotas_has_one_writer() {
        for (final Topic topic : Topic.values()) {
            final List<Part> writers = Stream.concat(Stream.of(Service.values()), Stream.of((Part) ALPHA))
                    .filter(part -> BrokerAccess.of(part).writes().contains(topic))
                    .toList();
            assertThat(writers).as(topic.topicName()).isNotEmpty();
            if (topic.isCompacted() && topic != Topic.PLANS && topic != Topic.QUOTAS) {
                assertThat(writers).as(topic.topicName()).hasSize(1);
            }
        }
    }

    @Test
    @Attack("a tool reads the answers to another tool, or writes in its name")
    void a_tool_has_its_two_topics_and_nothing_else() {
        final BrokerAccess row = BrokerAccess.of(new Part.Tool("workflows"));
        assertThat(row.bindings())
                .extracting(acl -> acl.entry().operation() + " " + acl.pattern().name())
                .containsExactly("READ millrace.tool-answers.workflows", "WRITE millrace.tool-submissions.workflows");
        assertThat(row.bindings())
                .allSatisfy(acl -> assertThat(acl.pattern().patternType()).isEqualTo(PatternType.LITERAL));
        assertThat(Part.named("tool-workflows")).isEqualTo(row.part());
    }

    @Test
    void no_part_may_change_access_lists_or_delete_topics() {
        assertThat(Stream.concat(Stream.of(Service.values()), Stream.of(ALPHA, new Part.Operator()))
                        .flatMap(part -> BrokerAccess.of(part).bindings().stream()))
                .allSatisfy(acl -> {
                    assertThat(acl.entry().operation())
                            .isIn(AclOperation.READ, AclOperation.WRITE, AclOperation.CREATE, AclOperation.DESCRIBE);
                    assertThat(acl.pattern().resourceType()).isNotEqualTo(ResourceType.CLUSTER);
                });
    }

    @Test
    void a_site_gets_the_rights_as_commands_of_kafka() {
        assertThat(said("kafka-acls", "agent-alpha").lines())
                .hasSize((int) BrokerAccess.of(ALPHA).bindings().stream()
                        .map(AclBinding::pattern)
                        .distinct()
                        .count())
                .contains("kafka-acls.sh --bootstrap-server \"$BROKER\" --command-config \"$ADMIN\" --add"
                        + " --allow-principal User:millrace-agent-alpha --operation Read --topic 'millrace.plans'")
                .contains("kafka-acls.sh --bootstrap-server \"$BROKER\" --command-config \"$ADMIN\" --add"
                        + " --allow-principal User:millrace-agent-alpha --operation Write --transactional-id"
                        + " 'agent-alpha'");
        assertThat(said("kafka-acls", "quota"))
                .contains("--operation Write --transactional-id 'quota-service-' --resource-pattern-type prefixed");
    }

    @Test
    void a_site_gets_the_rights_as_objects_of_strimzi() {
        assertThat(said("kafka-users", "quota", "agent-alpha"))
                .contains("kind: KafkaUser\nmetadata:\n  name: millrace-quota\n")
                .contains("""
                          - resource:
                              type: transactionalId
                              name: "quota-service-"
                              patternType: prefix
                            operations: [Write]
                    """)
                .contains("  name: millrace-agent-alpha\n");
    }

    @Test
    void wrong_words_are_refused_with_the_usage() {
        for (final String[] words : List.of(
                new String[] {},
                new String[] {"grant"},
                new String[] {"give", "quota"},
                new String[] {"grant", "quota"},
                new String[] {"kafka-acls", "quoat"})) {
            assertThatThrownBy(() -> BrokerAccounts.run(System.out, words))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("(?s).*(usage: broker-accounts|is not a part).*");
        }
    }

    private static String said(final String... words) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        BrokerAccounts.run(new PrintStream(out, true, StandardCharsets.UTF_8), words);
        return out.toString(StandardCharsets.UTF_8);
    }
}
