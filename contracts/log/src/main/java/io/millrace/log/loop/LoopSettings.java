package io.millrace.log.loop;

import io.millrace.log.access.Part.LogReader;
import io.millrace.model.protocol.Topic;
import io.millrace.model.protocol.Topic.Spread;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a deciding loop reads and under which name.
 *
 * @param bootstrapServers {@code host:port,…}
 * @param part that decides; its dead letters get what cannot be processed
 * @param service the name of the group and of the transactions, e.g. {@code quota-service}; a second loop of the same service needs
 *     another one
 * @param own co-partitioned inputs, read for the assigned partition only: of topics per cluster those of the clusters that belong to the
 *     partition. The group is formed on the first that clusters share
 * @param context inputs that each shard reads whole, all partitions and all clusters
 * @param lookBack topics that are read again this far back at each start, whatever was committed, to rebuild state; handling such a record twice must be harmless
 * @param debounce how long to wait after a record that makes a decision due, so that one decision covers a burst
 * @param client further properties for every Kafka client, e.g. security; they win over ours
 */
public record LoopSettings(
        String bootstrapServers,
        LogReader part,
        String service,
        List<Topic> own,
        Set<Topic> context,
        Map<Topic, Duration> lookBack,
        Duration debounce,
        Map<String, Object> client) {

    /** Long enough to take a batch of observations and its marker together, short enough to go unnoticed. */
    public static final Duration DEBOUNCE = Duration.ofMillis(50);

    public LoopSettings {
        own = List.copyOf(own);
        context =
                Collections.unmodifiableSet(context.isEmpty() ? EnumSet.noneOf(Topic.class) : EnumSet.copyOf(context));
        lookBack = Map.copyOf(lookBack);
        client = Map.copyOf(client);
        if (own.stream().allMatch(Topic::isPerCluster)) {
            throw new IllegalArgumentException(
                    service + ": a loop needs at least one own topic that clusters share to form its group on");
        }
        requireCoPartitioned(service, own);
        requireHandledOnce(service, own, context);
        if (debounce.isNegative()) {
            throw new IllegalArgumentException(service + ": debounce cannot be negative, got " + debounce);
        }
    }

    private static void requireCoPartitioned(final String service, final List<Topic> own) {
        final Topic group = groupTopic(own);
        for (final Topic topic : own) {
            final Spread spread = topic.isPerCluster() ? Spread.BY_CLUSTER : topic.spread();
            if (spread != group.spread()) {
                throw new IllegalArgumentException(service + ": " + topic.topicName()
                        + " has not as many partitions as " + group.topicName() + "; read it as context");
            }
        }
    }

    private static void requireHandledOnce(final String service, final List<Topic> own, final Set<Topic> context) {
        for (final Topic topic : context) {
            if (own.contains(topic)) {
                throw new IllegalArgumentException(service + ": " + topic.topicName() + " is own and context at once");
            }
            if (ReplayStart.of(topic) == ReplayStart.FROM_COMMITTED
                    && groupTopic(own).spread() != Spread.ONE) {
                throw new IllegalArgumentException(service + ": " + topic.topicName()
                        + " is handled once per commit, and the shards of a loop on "
                        + groupTopic(own).topicName()
                        + " would all handle it; make it own, or read it in a loop formed on a topic of one partition");
            }
        }
    }

    public static LoopSettings of(
            final String bootstrapServers, final LogReader part, final String service, final Topic... own) {
        return new LoopSettings(
                bootstrapServers, part, service, Arrays.asList(own), Set.of(), Map.of(), DEBOUNCE, Map.of());
    }

    public LoopSettings withContext(final Topic... topics) {
        return new LoopSettings(bootstrapServers, part, service, own, Set.of(topics), lookBack, debounce, client);
    }

    public LoopSettings withLookBack(final Topic topic, final Duration far) {
        return new LoopSettings(bootstrapServers, part, service, own, context, Map.of(topic, far), debounce, client);
    }

    public LoopSettings withDebounce(final Duration quiet) {
        return new LoopSettings(bootstrapServers, part, service, own, context, lookBack, quiet, client);
    }

    public LoopSettings withClient(final Map<String, Object> properties) {
        return new LoopSettings(bootstrapServers, part, service, own, context, lookBack, debounce, properties);
    }

    /** The topic with the partitions that are divided among the instances. */
    Topic groupTopic() {
        return groupTopic(own);
    }

    private static Topic groupTopic(final List<Topic> own) {
        return own.stream().filter(topic -> !topic.isPerCluster()).findFirst().orElseThrow();
    }

    /** All inputs. */
    List<Topic> inputs() {
        return Stream.concat(own.stream(), context.stream()).toList();
    }
}
