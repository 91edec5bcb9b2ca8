package io.millrace.log.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.access.Part.Service;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoopSettingsTest {

    private static LoopSettings of(final Topic... own) {
        return LoopSettings.of("localhost:9092", Service.QUOTA, "quota-service", own);
    }

    @Test
    void the_group_is_formed_on_the_first_own_topic_that_clusters_share() {
        assertThat(of(Topic.CLUSTER_STATE, Topic.PLANS, Topic.CLASSES).groupTopic())
                .isEqualTo(Topic.PLANS);
        assertThatThrownBy(() -> of()).hasMessageContaining("at least one own topic");
        assertThatThrownBy(() -> of(Topic.CLUSTER_STATE)).hasMessageContaining("that clusters share");
    }

    @Test
    void own_topics_have_as_many_partitions_as_the_first() {
        assertThatThrownBy(() -> of(Topic.CLUSTER_STATE, Topic.PLANS, Topic.QUOTAS))
                .hasMessageContainingAll("millrace.quotas", "millrace.plans", "context");
        assertThatThrownBy(() -> of(Topic.SUBMISSIONS, Topic.COMMANDS)).hasMessageContaining("millrace.commands");
    }

    @Test
    void a_topic_is_own_or_context() {
        assertThatThrownBy(() -> of(Topic.PLANS).withContext(Topic.PLANS))
                .hasMessageContaining("own and context at once");
    }

    @Test
    void what_is_handled_once_is_read_whole_only_where_there_is_one_shard() {
        assertThat(of(Topic.SUBMISSIONS)
                        .withContext(Topic.JOB_ENDS, Topic.CLUSTER_STATE)
                        .context())
                .containsExactlyInAnyOrder(Topic.JOB_ENDS, Topic.CLUSTER_STATE);
        assertThat(of(Topic.PLANS, Topic.JOB_ENDS).own()).contains(Topic.JOB_ENDS);
        for (final Topic once : new Topic[] {Topic.SUBMISSIONS, Topic.REQUESTS, Topic.JOB_ENDS}) {
            assertThatThrownBy(() -> of(Topic.PLANS).withContext(once))
                    .hasMessageContainingAll(once.topicName(), "handled once per commit");
        }
    }

    @Test
    void a_debounce_may_be_zero_but_not_negative() {
        assertThat(of(Topic.PLANS).withDebounce(Duration.ZERO).debounce()).isZero();
        assertThatThrownBy(() -> of(Topic.PLANS).withDebounce(Duration.ofMillis(-1)))
                .hasMessageContaining("negative");
    }

    @Test
    void every_topic_that_is_not_compacted_has_a_rule_where_its_replay_begins() {
        for (final Topic topic : Topic.values()) {
            assertThat(ReplayStart.of(topic) == ReplayStart.FROM_BEGINNING)
                    .as(topic.topicName())
                    .isEqualTo(topic.isCompacted());
        }
    }
}
