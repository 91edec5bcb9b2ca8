package io.millrace.log.access;

import io.millrace.log.access.BrokerAccess.Name;
import io.millrace.log.access.Part.Agent;
import io.millrace.log.access.Part.Operator;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of the guide about accounts at the broker. */
final class BrokerAccessPage {

    /** A name that stands for any cluster on the page. */
    private static final ClusterId CLUSTER = ClusterId.of("alpha");

    private static final String TOOL = "workflows";

    private BrokerAccessPage() {}

    static String text() {
        return """
                # Accounts and rights at the broker

                This page is generated from the access table in the code (`io.millrace.log.access.BrokerAccess`) by
                `./mvnw -pl contracts/log test -Dtest=BrokerAccessPageTest -Dmillrace.write-broker-access`.

                Whoever can write `millrace.commands.…` or `millrace.submissions` can start and stop jobs, so each service and each agent has its own
                account, and the broker refuses everything that the table does not allow. An agent reads and writes only the topics of its own cluster:
                a stolen account of one cluster shows no submissions, no scripts and no commands of other clusters, and cannot report their jobs.

                ## Set up your broker

                1. Configure the brokers to refuse what no access list allows:

                       authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
                       allow.everyone.if.no.acl.found=false
                       super.users=User:admin

                2. Create accounts with new passwords and the rights of the table. `admin.properties` contains the login of a super user in the format
                   of Kafka's tools:

                       ./millrace broker-accounts grant --bootstrap-server=kafka1:9093 --command-config=admin.properties --logins=logins \\
                           quota classifier backfill migration transfer submit agent-alpha agent-beta

                   The folder `logins` then contains a file for each part, with mode 0600. Copy each file to the host of its part, and name it there in
                   `millrace.kafka.client-properties`. The accounts use SCRAM-SHA-512; all other properties, such as those of TLS, are copied from
                   `admin.properties`.
                3. After an update of Millrace, run the command again. It adds and removes rights of these accounts so that they match the table, and prints
                   each change. Passwords stay the same.

                To add a cluster, run the command with `agent-CLUSTER` before you start its agent. No service needs a restart. To withdraw the rights of
                an agent, delete its account (`kafka-configs.sh --alter --delete-config SCRAM-SHA-512 --entity-type users --entity-name
                millrace-agent-CLUSTER`) and restart the brokers or close its connections.

                If accounts come from elsewhere, for example client certificates, omit `--logins` and map the names of the certificates to the names of the
                accounts below (`ssl.principal.mapping.rules`). `./millrace broker-accounts kafka-acls PART...` prints the rights as commands of Kafka's own
                tool, and `./millrace broker-accounts kafka-users PART...` as `KafkaUser` objects for [Strimzi](https://strimzi.io).

                ## The table

                Topics have the prefix `millrace.`, which the table omits. A topic such as `commands.alpha` is that of the agent's cluster;
                `commands.*` are those of all clusters. `Read` and `Write` include `Describe`.

                | part | account | `Read` on topics | `Write` on topics |
                | --- | --- | --- | --- |
                """
                + rows().map(row -> line(row, topics(row.readNames()), topics(row.writeNames())))
                        .collect(Collectors.joining())
                + """

                | part | `Read` on groups | `Describe` on groups | `Write` on transactional ids | `Create` on topics |
                | --- | --- | --- | --- | --- |
                """
                + rows().map(row -> "| "
                                + String.join(
                                        " | ",
                                        row.part().id(),
                                        code(row.groups()),
                                        code(row.watched()),
                                        code(row.transactions()),
                                        topics(row.createNames()))
                                + " |\n")
                        .collect(Collectors.joining())
                + """

                A service creates the topics that clusters share and that it uses, an agent those of its cluster, if they are missing. If you create all topics
                yourself, omit `Create`.

                `operator` is an account for a person who looks for a fault, with Kafka's own tools. It reads all topics, also scripts of users and parts of
                their files, and writes nothing.

                ## Dead letters

                A record that a part cannot process goes to the dead letters of that part: `millrace.dlq.quota`, `millrace.dlq.agent.alpha`. No part can write
                those of another. The headers `millrace_topic`, `millrace_partition` and `millrace_offset` say where the record was, `millrace_reason` why it
                was not processed. Event handlers of submit-service deliver theirs again (`mghandler redeliver`).

                ## Version of the broker

                Services and agents do not start on a broker whose feature `transaction.version` is below 2 (KIP-890): there, a record of an aborted
                transaction can become part of the next one. Brokers from version 4.0 have it; after an update from an older version, run
                `kafka-features.sh --bootstrap-server kafka1:9093 upgrade --feature transaction.version=2`. No right is needed to read the version.

                ## TLS

                With `security.protocol=SASL_SSL`, Kafka's clients encrypt the connection and verify the broker by `ssl.truststore.location`:

                    security.protocol=SASL_SSL
                    sasl.mechanism=SCRAM-SHA-512
                    sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="millrace-quota" password="...";
                    ssl.truststore.type=PEM
                    ssl.truststore.location=/etc/millrace/broker-ca.pem

                Certificates are renewed without a restart. Services and agents use the files of trust store and key store for each new connection as they
                are then; replace a file by `mv`, so that it is never half written. A broker reads its own renewed file when `kafka-configs.sh --alter` sets
                `listener.name.NAME.ssl.keystore.location` to the same file again.
                """;
    }

    private static Stream<BrokerAccess> rows() {
        return Stream.concat(
                        Stream.of(Service.values()), Stream.of(new Agent(CLUSTER), new Part.Tool(TOOL), new Operator()))
                .map(BrokerAccess::of);
    }

    private static String line(final BrokerAccess row, final String... cells) {
        return "| " + row.part().id() + " | `" + row.part().account() + "` | " + String.join(" | ", cells) + " |\n";
    }

    private static String topics(final List<Name> names) {
        return code(names.stream()
                .map(name -> new Name(name.text().replaceFirst("^millrace\\.", ""), name.isPrefix()))
                .toList());
    }

    private static String code(final List<Name> names) {
        return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
    }
}
