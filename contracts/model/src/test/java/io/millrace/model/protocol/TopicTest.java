package io.millrace.model.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha-2");

    @Test
    void every_topic_is_found_by_the_name_of_its_kafka_topic() {
        for (final Topic topic : Topic.values()) {
            final String name = topic.topicName(ALPHA);
            assertThat(Topic.named(name)).isEqualTo(topic);
            assertThat(name).isEqualTo(topic.topicName() + (topic.isPerCluster() ? ".alpha-2" : ""));
            assertThat(Topic.clusterOf(name).isPresent()).isEqualTo(topic.isPerCluster());
            assertThat(Topic.clusterOf(name).orElse(ALPHA)).isEqualTo(ALPHA);
        }
    }

    @Test
    void what_an_agent_writes_and_what_only_it_reads_is_one_topic_per_cluster() {
        assertThat(List.of(Topic.values()))
                .filteredOn(Topic::isPerCluster)
                .containsExactly(
                        Topic.CLUSTER_STATE,
                        Topic.JOB_ENDS,
                        Topic.COMMANDS,
                        Topic.OUTCOMES,
                        Topic.FILE_REQUESTS,
                        Topic.FILE_ANSWERS);
    }

    @Test
    void an_event_about_no_cluster_has_no_place_on_a_topic_per_cluster() {
        assertThatThrownBy(() -> Topic.COMMANDS.topicName(null)).hasMessageContaining("needs a cluster");
        assertThat(Topic.QUOTAS.topicName(null)).isEqualTo("millrace.quotas");
    }

    @Test
    void other_names_are_no_topics_of_millrace() {
        for (final String name : List.of(
                "",
                "alpha",
                "millrace",
                "millrace.",
                "millrace.cluster-state",
                "millrace.cluster-state.",
                "millrace.cluster-state.Alpha",
                "millrace.cluster-state.alpha.beta",
                "millrace.cluster-state.-",
                "millrace.plans.alpha",
                "other.cluster-state.alpha")) {
            assertThat(Topic.find(name)).as(name).isEmpty();
            assertThatThrownBy(() -> Topic.named(name)).hasMessageContaining("'" + name + "'");
        }
    }
}
