package io.millrace.log;

import io.millrace.log.access.Part;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.model.protocol.Topic.Spread;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes {@code docs/asyncapi.yaml} from the tables {@code Topic} and {@code EventType} and the records they name. */
final class AsyncApiPage {

    private static final Map<Class<?>, String> PLAIN = Map.of(
            String.class, "{type: string}",
            int.class, "{type: integer, format: int32}",
            Integer.class, "{type: integer, format: int32}",
            long.class, "{type: integer, format: int64}",
            Long.class, "{type: integer, format: int64}",
            boolean.class, "{type: boolean}",
            Boolean.class, "{type: boolean}",
            Instant.class, "{type: string, format: date-time}",
            Duration.class, "{type: string, format: duration}");

    private final StringBuilder page = new StringBuilder();
    private final Map<String, Class<?>> schemas = new TreeMap<>();

    static String text() {
        return new AsyncApiPage().write();
    }

    private String write() {
        head();
        line(0, "channels:");
        Arrays.stream(Topic.values()).forEach(this::channel);
        deadLetters();
        line(0, "operations:");
        Arrays.stream(Topic.values()).forEach(this::operations);
        line(0, "components:");
        line(1, "messages:");
        Arrays.stream(EventType.values()).forEach(this::message);
        line(1, "schemas:");
        cloudEvent();
        Arrays.stream(EventType.values()).forEach(type -> collect(type.record()));
        schemas.forEach(this::schema);
        return page.toString();
    }

    private void head() {
        page.append("""
            # Generated from io.millrace.model.protocol.Topic and EventType by AsyncApiTest, which fails if the two differ.
            asyncapi: 3.0.0
            info:
              title: Millrace
              version: v1
              description: |
                The topics of Millrace. Records are CloudEvents 1.0 in Kafka's binary mode: attributes in `ce_*` headers, JSON in the
                value. Absent values are omitted, `kind` identifies the variant of an object, identifiers and times are strings.
                v1 only gains optional fields: ignore unknown fields and skip unknown types. Agents refuse commands with
                unknown fields. Each key of a compacted topic has one writer; other components send requests on
                `millrace.requests`. Records are smaller than 1 MiB. Use the isolation level `read_committed`.
            defaultContentType: application/json
            """);
    }

    private void channel(final Topic topic) {
        line(1, channelName(topic) + ":");
        line(2, "address: " + (topic.isPerCluster() ? "'" + topic.topicName() + ".{cluster}'" : topic.topicName()));
        line(2, "description: " + about(topic));
        if (topic.isPerCluster()) {
            line(2, "parameters:");
            line(3, "cluster: {description: 'name of the cluster, for example alpha'}");
        }
        line(2, "messages:");
        types(topic)
                .forEach(type -> line(
                        3,
                        type.record().getSimpleName() + ": {$ref: '#/components/messages/"
                                + type.record().getSimpleName() + "'}"));
        line(2, "bindings:");
        line(3, "kafka:");
        line(4, "bindingVersion: 0.5.0");
        if (topic.spread() != Spread.BY_CLUSTER) {
            line(4, "partitions: 1");
        }
        final Duration retention = topic.retention();
        line(
                4,
                "topicConfiguration: "
                        + (retention == null
                                ? "{cleanup.policy: [compact]}"
                                : "{cleanup.policy: [delete], retention.ms: " + retention.toMillis() + "}"));
    }

    private static String channelName(final Topic topic) {
        return topic.topicName().substring("millrace.".length());
    }

    /** Key and writer, in one line. */
    private static String about(final Topic topic) {
        final String partition = switch (topic.spread()) {
            case PER_CLUSTER ->
                " One topic of one partition for each cluster, created by its agent; a record about another"
                        + " cluster is refused.";
            case BY_CLUSTER ->
                " Partition by murmur2 of the cluster's name (0 if there is none), as on all topics that are"
                        + " spread by cluster.";
            case ONE -> " One partition.";
        };
        return switch (topic) {
                    case CLUSTER_STATE ->
                        "Jobs, nodes and partitions as observed; a revision closes each batch. Key cluster/job/…,"
                                + " cluster/node/…, cluster/partition/… or cluster/marker. Written by the agent of the"
                                + " cluster.";
                    case JOB_ENDS -> "Each ended run of a job. Key cluster. Written by the agent of the cluster.";
                    case COMMANDS ->
                        "Commands to the agent of a cluster. Key cluster. Written by quota, backfill, migration,"
                                + " transfer.";
                    case OUTCOMES -> "Outcome of each command. Key cluster. Written by the agent of the cluster.";
                    case CLASSES -> "Classes of each job. Key the job. Written by classifier.";
                    case ENTITLEMENTS -> "Entitlement and priority of each job. Key the job. Written by quota.";
                    case PLANS ->
                        "Plans of each service for jobs, and its last decision for each cluster. Key job/ISSUER or"
                                + " cluster/ISSUER. Written by quota, backfill, migration, each its own keys.";
                    case USAGE ->
                        "Cores in use by user and cluster, key cluster/user; charges to budgets, key"
                                + " cluster/charges/user/project. Written by quota.";
                    case LEDGER ->
                        "Cost of each ended run, in double entry, key job#run; closed periods, key"
                                + " cluster/period. Written by quota.";
                    case AVAILABILITY ->
                        "Drained and fenced clusters, on which Millrace places no jobs. Key"
                                + " cluster/availability. Written by migration.";
                    case QUOTAS ->
                        "Guaranteed cores by user and cluster, key cluster/user; priority rules, key priority."
                                + " Written by quota.";
                    case LOCKS ->
                        "Users whom operators locked or unlocked. Key the user. Written by submit, read by submit and"
                                + " agents.";
                    case NUMBERS ->
                        "Blocks of job numbers that an instance of submit reserved; the first reservation holds. One"
                                + " key. Written and read by submit.";
                    case SUBMISSIONS ->
                        "Submitted global jobs and requested stops. Key the global job. Written by submit and by"
                                + " tools.";
                    case GLOBAL_JOBS ->
                        "State and attempts of each global job. Key the global job. Written by migration.";
                    case TRANSFERS ->
                        "Transfers of directory trees, and the copies that jobs leave on other clusters. Key the"
                                + " transfer, or the attempt with /staged. Written by transfer.";
                    case REQUESTS ->
                        "Requests to the writers of other topics. Key the subject. Written by submit, migration,"
                                + " tools.";
                    case FILE_REQUESTS ->
                        "Requests to read a file in the directory of a job. Key cluster. Written by submit.";
                    case FILE_ANSWERS ->
                        "Contents of files and folders that were requested. Key cluster. Written by the agent of the"
                                + " cluster, read by submit only.";
                }
                + partition;
    }

    private void deadLetters() {
        line(1, "dead-letters:");
        line(2, "address: '" + Part.DEAD_LETTERS + "{part}'");
        line(
                2,
                "description: Messages that a part could not process, unchanged; the headers millrace_reason,"
                        + " millrace_reader, millrace_topic, millrace_partition and millrace_offset contain the reason,"
                        + " the reader and the position. Kept for 30 days.");
        line(2, "parameters:");
        line(3, "part: {description: 'quota, classifier, backfill, migration, transfer, submit, or agent.CLUSTER'}");
    }

    private void operations(final Topic topic) {
        operation("send", topic);
        if (topic == Topic.SUBMISSIONS || topic == Topic.REQUESTS) {
            operation("receive", topic);
        }
    }

    private void operation(final String action, final Topic topic) {
        line(
                1,
                action + "-" + channelName(topic) + ": {action: " + action + ", channel: {$ref: '#/channels/"
                        + channelName(topic) + "'}}");
    }

    private static List<EventType> types(final Topic topic) {
        return Arrays.stream(EventType.values())
                .filter(type -> type.topic() == topic)
                .toList();
    }

    private void message(final EventType type) {
        final String name = type.record().getSimpleName();
        line(2, name + ":");
        line(3, "name: " + type.typeName());
        line(3, "headers:");
        line(4, "allOf:");
        line(5, "- {$ref: '#/components/schemas/CloudEvent'}");
        line(5, "- {properties: {ce_type: {const: " + type.typeName() + "}}}");
        line(3, "payload: {$ref: '#/components/schemas/" + name(type.record()) + "'}");
        line(3, "bindings: {kafka: {key: {type: string}, bindingVersion: 0.5.0}}");
    }

    private void cloudEvent() {
        line(2, "CloudEvent:");
        line(3, "type: object");
        line(3, "required: [ce_specversion, ce_id, ce_source, ce_type]");
        line(3, "properties:");
        line(4, "ce_specversion: {const: '1.0'}");
        line(4, "ce_id: {type: string, description: identifies the event together with ce_source}");
        line(4, "ce_source: {type: string, examples: [/millrace/quota-service, /millrace/agent/alpha]}");
        line(4, "ce_type: {type: string}");
        line(4, "ce_time: {type: string, format: date-time}");
        line(4, "ce_subject: {type: string, description: the record key}");
        line(4, "content-type: {const: application/json}");
    }

    private static String name(final Class<?> type) {
        final Class<?> around = type.getEnclosingClass();
        return around == null ? type.getSimpleName() : around.getSimpleName() + "." + type.getSimpleName();
    }

    private void collect(final Class<?> type) {
        if (!ModelTypes.isModel(type) || schemas.putIfAbsent(name(type), type) != null) {
            return;
        }
        if (type.isSealed() && ModelTypes.text(type).isEmpty()) {
            ModelTypes.variants(type).forEach(this::collect);
        } else if (type.isRecord() && ModelTypes.text(type).isEmpty()) {
            for (final RecordComponent component : type.getRecordComponents()) {
                classesOf(component.getGenericType()).forEach(this::collect);
            }
        }
    }

    private static Collection<Class<?>> classesOf(final Type type) {
        final List<Class<?>> classes = new ArrayList<>();
        if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(part -> classes.addAll(classesOf(part)));
        } else {
            classes.add((Class<?>) type);
        }
        return classes;
    }

    private void schema(final String name, final Class<?> type) {
        if (type.isEnum()) {
            line(2, name + ": {type: string, enum: " + Arrays.toString(type.getEnumConstants()) + "}");
        } else if (ModelTypes.text(type).isPresent()) {
            line(2, name + ": {type: string}");
        } else if (type.isSealed()) {
            line(2, name + ":");
            line(3, "discriminator: kind");
            line(3, "oneOf:");
            ModelTypes.variants(type).forEach(part -> line(4, "- {$ref: '#/components/schemas/" + name(part) + "'}"));
        } else {
            record(name, type);
        }
    }

    private void record(final String name, final Class<?> type) {
        final boolean kind = Arrays.stream(type.getInterfaces()).anyMatch(ModelTypes::hasKind);
        final List<String> required = new ArrayList<>(kind ? List.of("kind") : List.of());
        for (final RecordComponent component : type.getRecordComponents()) {
            if (!ModelTypes.isOptional(component)) {
                required.add(component.getName());
            }
        }
        line(2, name + ":");
        line(3, "type: object");
        line(3, "required: [" + String.join(", ", required) + "]");
        line(3, "properties:");
        if (kind) {
            line(4, "kind: {const: " + ModelTypes.kind(type) + "}");
        }
        for (final RecordComponent component : type.getRecordComponents()) {
            line(4, component.getName() + ": " + reference(component.getGenericType()));
        }
    }

    private static String reference(final Type type) {
        if (type instanceof ParameterizedType generic) {
            final Type[] parts = generic.getActualTypeArguments();
            return generic.getRawType() == Map.class
                    ? "{type: object, additionalProperties: " + reference(parts[1]) + "}"
                    : "{type: array, items: " + reference(parts[0]) + "}";
        }
        final Class<?> plain = (Class<?>) type;
        return PLAIN.containsKey(plain) ? PLAIN.get(plain) : "{$ref: '#/components/schemas/" + name(plain) + "'}";
    }

    private void line(final int depth, final String text) {
        page.append("  ".repeat(depth)).append(text).append('\n');
    }
}
