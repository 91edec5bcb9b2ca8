package io.millrace.log.access;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;

/** The table in the forms that the tools of a site read. */
final class AccessTexts {

    private AccessTexts() {}

    /** The commands of Kafka's own tool, one per resource; the broker and the login of an administrator are variables of the shell. */
    static List<String> commands(final BrokerAccess row) {
        return byResource(row).entrySet().stream()
                .map(entry -> "kafka-acls.sh --bootstrap-server \"$BROKER\" --command-config \"$ADMIN\" --add"
                        + " --allow-principal "
                        + row.principal()
                        + entry.getValue().stream()
                                .map(operation -> " --operation " + word(operation))
                                .collect(Collectors.joining())
                        + " --" + option(entry.getKey()) + " '"
                        + entry.getKey().name() + "'"
                        + (entry.getKey().patternType() == PatternType.PREFIXED
                                ? " --resource-pattern-type prefixed"
                                : ""))
                .toList();
    }

    /** The user as an object of Strimzi's operator, which creates account, password and access lists. */
    static String kafkaUser(final BrokerAccess row) {
        final StringBuilder text = new StringBuilder("""
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata:
              name: %s
              labels:
                strimzi.io/cluster: millrace
            spec:
              authentication:
                type: scram-sha-512
              authorization:
                type: simple
                acls:
            """.formatted(row.part().account()));
        byResource(row)
                .forEach((resource, operations) -> text.append("""
                          - resource:
                              type: %s
                              name: "%s"
                              patternType: %s
                            operations: [%s]
                    """.formatted(
                                strimzi(resource),
                                resource.name(),
                                resource.patternType() == PatternType.PREFIXED ? "prefix" : "literal",
                                operations.stream().map(AccessTexts::word).collect(Collectors.joining(", ")))));
        return text.toString();
    }

    /** One access list for a person to read. */
    static String line(final AclBinding acl) {
        return acl.entry().principal() + " " + word(acl.entry().operation()) + " " + strimzi(acl.pattern()) + " "
                + acl.pattern().name()
                + (acl.pattern().patternType() == PatternType.PREFIXED ? "*" : "");
    }

    private static Map<ResourcePattern, TreeSet<AclOperation>> byResource(final BrokerAccess row) {
        final Map<ResourcePattern, TreeSet<AclOperation>> all = new LinkedHashMap<>();
        row.bindings()
                .forEach(acl -> all.computeIfAbsent(acl.pattern(), pattern -> new TreeSet<>())
                        .add(acl.entry().operation()));
        return all;
    }

    /** {@code READ -> Read}. */
    private static String word(final AclOperation operation) {
        return operation.name().charAt(0) + operation.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private static String option(final ResourcePattern resource) {
        return resource.resourceType().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code TRANSACTIONAL_ID -> transactionalId}. */
    private static String strimzi(final ResourcePattern resource) {
        return option(resource).replace("-id", "Id");
    }
}
