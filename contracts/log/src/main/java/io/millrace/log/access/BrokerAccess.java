package io.millrace.log.access;

import io.millrace.log.access.Part.LogReader;
import io.millrace.log.access.Part.Service;
import io.millrace.model.protocol.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a part may do at the broker: a row of the table. Everything else is refused. An agent reads and writes only the topics of its
 * cluster; of the topics that clusters share it reads plans, availability and locks.
 *
 * @param reads topics that it reads
 * @param writes topics that it writes
 * @param groups consumer groups that it joins
 * @param watched consumer groups whose progress it shows
 * @param transactions its transactional ids
 */
public record BrokerAccess(
        Part part,
        Set<Topic> reads,
        Set<Topic> writes,
        List<Name> groups,
        List<Name> watched,
        List<Name> transactions) {

    /** A name at the broker, or all names that begin with it. */
    public record Name(String text, boolean isPrefix) {

        static Name exactly(final String text) {
            return new Name(text, false);
        }

        static Name beginningWith(final String text) {
            return new Name(text, true);
        }

        @Override
        public String toString() {
            return isPrefix ? text + "*" : text;
        }
    }

    private static final Name ALL_TOPICS = Name.beginningWith("millrace.");
    private static final Name ALL_GROUPS = Name.exactly(ResourcePattern.WILDCARD_RESOURCE);

    public BrokerAccess {
        reads = copy(reads);
        writes = copy(writes);
        groups = List.copyOf(groups);
        watched = List.copyOf(watched);
        transactions = List.copyOf(transactions);
    }

    private static Set<Topic> copy(final Set<Topic> topics) {
        return Collections.unmodifiableSet(topics.isEmpty() ? EnumSet.noneOf(Topic.class) : EnumSet.copyOf(topics));
    }

    /** The row of a part. */
    public static BrokerAccess of(final Part part) {
        return switch (part) {
            case Service service -> of(service);
            case Part.Agent agent ->
                new BrokerAccess(
                        agent,
                        EnumSet.of(
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.JOB_ENDS,
                                Topic.FILE_REQUESTS,
                                Topic.PLANS,
                                Topic.AVAILABILITY,
                                Topic.LOCKS),
                        EnumSet.of(Topic.CLUSTER_STATE, Topic.JOB_ENDS, Topic.OUTCOMES, Topic.FILE_ANSWERS),
                        List.of(Name.exactly(agent.id())),
                        List.of(),
                        List.of(Name.exactly(agent.id())));
            case Part.Tool tool -> new BrokerAccess(tool, Set.of(), Set.of(), List.of(), List.of(), List.of());
            case Part.Operator operator ->
                new BrokerAccess(
                        operator, EnumSet.allOf(Topic.class), Set.of(), List.of(), List.of(ALL_GROUPS), List.of());
        };
    }

    private static BrokerAccess of(final Service service) {
        return switch (service) {
            case QUOTA ->
                deciding(
                        service,
                        EnumSet.of(
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.JOB_ENDS,
                                Topic.LEDGER,
                                Topic.ENTITLEMENTS,
                                Topic.PLANS,
                                Topic.CLASSES,
                                Topic.QUOTAS,
                                Topic.USAGE,
                                Topic.GLOBAL_JOBS,
                                Topic.REQUESTS,
                                Topic.LOCKS),
                        EnumSet.of(
                                Topic.COMMANDS,
                                Topic.ENTITLEMENTS,
                                Topic.PLANS,
                                Topic.USAGE,
                                Topic.LEDGER,
                                Topic.QUOTAS),
                        "quota-service",
                        "quota-requests");
            case BACKFILL ->
                deciding(
                        service,
                        EnumSet.of(
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.ENTITLEMENTS,
                                Topic.PLANS,
                                Topic.CLASSES,
                                Topic.JOB_ENDS),
                        EnumSet.of(Topic.COMMANDS, Topic.PLANS),
                        "backfill-service");
            case CLASSIFIER ->
                deciding(
                        service,
                        EnumSet.of(
                                Topic.CLUSTER_STATE,
                                Topic.CLASSES,
                                Topic.JOB_ENDS,
                                Topic.QUOTAS,
                                Topic.SUBMISSIONS,
                                Topic.REQUESTS,
                                Topic.GLOBAL_JOBS),
                        EnumSet.of(Topic.CLASSES, Topic.QUOTAS),
                        "classifier-service",
                        "classifier-global");
            case MIGRATION ->
                deciding(
                        service,
                        EnumSet.of(
                                Topic.SUBMISSIONS,
                                Topic.REQUESTS,
                                Topic.GLOBAL_JOBS,
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.JOB_ENDS,
                                Topic.TRANSFERS,
                                Topic.AVAILABILITY,
                                Topic.PLANS,
                                Topic.CLASSES),
                        EnumSet.of(Topic.COMMANDS, Topic.PLANS, Topic.GLOBAL_JOBS, Topic.REQUESTS, Topic.AVAILABILITY),
                        "migration-service");
            case TRANSFER ->
                deciding(
                        service,
                        EnumSet.of(
                                Topic.REQUESTS,
                                Topic.TRANSFERS,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.CLUSTER_STATE,
                                Topic.GLOBAL_JOBS),
                        EnumSet.of(Topic.COMMANDS, Topic.TRANSFERS),
                        "transfer-service");
            case SUBMIT ->
                new BrokerAccess(
                        service,
                        EnumSet.complementOf(EnumSet.of(Topic.FILE_REQUESTS)),
                        EnumSet.of(
                                Topic.NUMBERS,
                                Topic.SUBMISSIONS,
                                Topic.REQUESTS,
                                Topic.COMMANDS,
                                Topic.FILE_REQUESTS,
                                Topic.LOCKS),
                        List.of(Name.beginningWith("millrace-")),
                        Arrays.stream(Service.values())
                                .filter(other -> other != service)
                                .flatMap(other -> of(other).groups().stream())
                                .toList(),
                        List.of());
        };
    }

    /** A service of deciding loops, each of which has a group and a transactional id per partition. */
    private static BrokerAccess deciding(
            final Service service, final Set<Topic> reads, final Set<Topic> writes, final String... loops) {
        return new BrokerAccess(
                service,
                reads,
                writes,
                Arrays.stream(loops).map(Name::exactly).toList(),
                List.of(),
                Arrays.stream(loops).map(loop -> Name.beginningWith(loop + "-")).toList());
    }

    /** The topics whose partitions it looks at when it starts: those that it reads or writes. */
    public Set<Topic> topics() {
        final Set<Topic> all = EnumSet.noneOf(Topic.class);
        all.addAll(reads);
        all.addAll(writes);
        return all;
    }

    /**
     * The names of the Kafka topics that it creates if they are missing. An agent creates the topics of its cluster; a service those that
     * clusters share, so that no service waits for another.
     */
    public List<String> creates() {
        return switch (part) {
            case Part.Agent agent ->
                Stream.concat(
                                topics().stream()
                                        .filter(Topic::isPerCluster)
                                        .map(topic -> topic.topicName(agent.cluster())),
                                Stream.of(agent.deadLetters()))
                        .toList();
            case Service service ->
                Stream.concat(
                                topics().stream()
                                        .filter(topic -> !topic.isPerCluster())
                                        .map(Topic::topicName),
                                Stream.of(service.deadLetters()))
                        .toList();
            case Part.Tool tool -> List.of();
            case Part.Operator operator -> List.of();
        };
    }

    /** The names at the broker of what it may create. */
    List<Name> createNames() {
        final Stream<Name> all = creates().stream().map(Name::exactly);
        return (part == Service.SUBMIT
                        ? Stream.concat(
                                all,
                                Stream.of(
                                        Name.beginningWith(Part.Tool.SUBMISSIONS),
                                        Name.beginningWith(Part.Tool.ANSWERS)))
                        : all)
                .toList();
    }

    /** The names at the broker of what it reads. */
    public List<Name> readNames() {
        return switch (part) {
            case Part.Operator operator -> List.of(ALL_TOPICS);
            // Handlers deliver their dead letters again.
            case Service service
            when service == Service.SUBMIT ->
                Stream.concat(
                                names(reads),
                                Stream.of(
                                        Name.exactly(service.deadLetters()), Name.beginningWith(Part.Tool.SUBMISSIONS)))
                        .toList();
            case LogReader reader -> names(reads).toList();
            case Part.Tool tool -> List.of(Name.exactly(tool.answers()));
        };
    }

    /** The names at the broker of what it writes. */
    public List<Name> writeNames() {
        return switch (part) {
            case Service service
            when service == Service.SUBMIT ->
                Stream.concat(
                                names(writes),
                                Stream.of(Name.exactly(service.deadLetters()), Name.beginningWith(Part.Tool.ANSWERS)))
                        .toList();
            case LogReader reader ->
                Stream.concat(names(writes), Stream.of(Name.exactly(reader.deadLetters())))
                        .toList();
            case Part.Tool tool -> List.of(Name.exactly(tool.submissions()));
            case Part.Operator operator -> List.of();
        };
    }

    private Stream<Name> names(final Set<Topic> topics) {
        return topics.stream().map(this::name);
    }

    private Name name(final Topic topic) {
        if (!topic.isPerCluster()) {
            return Name.exactly(topic.topicName());
        }
        return part instanceof Part.Agent agent
                ? Name.exactly(topic.topicName(agent.cluster()))
                : Name.beginningWith(topic.topicName() + ".");
    }

    /** The account as Kafka's access lists name it. */
    public String principal() {
        return "User:" + part.account();
    }

    /** The access lists of the part at the broker. Reading and writing include {@code Describe}. */
    public List<AclBinding> bindings() {
        final List<AclBinding> all = new ArrayList<>();
        add(all, ResourceType.TOPIC, AclOperation.READ, readNames());
        add(all, ResourceType.TOPIC, AclOperation.WRITE, writeNames());
        add(all, ResourceType.TOPIC, AclOperation.CREATE, createNames());
        add(all, ResourceType.GROUP, AclOperation.READ, groups);
        add(all, ResourceType.GROUP, AclOperation.DESCRIBE, watched);
        add(all, ResourceType.TRANSACTIONAL_ID, AclOperation.WRITE, transactions);
        return all;
    }

    private void add(
            final List<AclBinding> to, final ResourceType type, final AclOperation operation, final List<Name> names) {
        final AccessControlEntry entry = new AccessControlEntry(principal(), "*", operation, AclPermissionType.ALLOW);
        final Function<Name, ResourcePattern> pattern = name ->
                new ResourcePattern(type, name.text(), name.isPrefix() ? PatternType.PREFIXED : PatternType.LITERAL);
        names.forEach(name -> to.add(new AclBinding(pattern.apply(name), entry)));
    }
}
