package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuorumIT {

    private static final int NODES = 3;

    @TempDir
    Path folder;

    private final List<BrokerProcess> members = new ArrayList<>();

    @Test
    void three_members_work_on_without_the_leader_which_leads_again_when_it_is_back() throws Exception {
        Path login = login();
        List<Integer> ports = freePorts();
        List<String> controllers =
                freePorts().stream().map(port -> "127.0.0.1:" + port).toList();
        try {
            for (int node = 1; node <= NODES; node++) {
                members.add(member(node, ports, controllers, login));
            }
            members.forEach(BrokerProcess::address);
            JobsTopic jobs = new JobsTopic(client(ports, login));
            jobs.create(NODES);
            jobs.inTransaction("with all", true);
            assertThat(jobs.read(1, "group")).containsExactly("with all");

            int first = partition(jobs).leader().id();
            kill(first);
            jobs.inTransaction("without the leader", true);
            assertThat(jobs.read(1, "group")).containsExactly("without the leader");

            members.set(first - 1, member(first, ports, controllers, login));
            members.get(first - 1).address();
            awaitLeader(jobs, first);
            kill(first % NODES + 1);
            jobs.inTransaction("without another", true);
            assertThat(jobs.read(1, "group")).containsExactly("without another");
            assertThat(jobs.read(3, "second group"))
                    .containsExactly("with all", "without the leader", "without another");
        } finally {
            for (BrokerProcess member : members) {
                member.close();
            }
        }
    }

    private void kill(int node) throws Exception {
        members.get(node - 1).close();
    }

    private BrokerProcess member(int node, List<Integer> ports, List<String> controllers, Path login)
            throws IOException {
        return new BrokerProcess(List.of(
                "--data=" + folder.resolve("node-" + node),
                "--port=" + ports.get(node - 1),
                "--client-properties=" + login,
                "--node=" + node,
                "--controllers=" + String.join(",", controllers)));
    }

    private static List<Integer> freePorts() {
        return IntStream.range(0, NODES).mapToObj(at -> FreePort.orWanted(0)).toList();
    }

    private static TopicPartitionInfo partition(JobsTopic jobs) throws Exception {
        try (Admin admin = jobs.admin()) {
            return admin.describeTopics(List.of(JobsTopic.NAME))
                    .allTopicNames()
                    .get()
                    .get(JobsTopic.NAME)
                    .partitions()
                    .getFirst();
        }
    }

    private static void awaitLeader(JobsTopic jobs, int node) throws Exception {
        long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (partition(jobs).leader().id() != node) {
            assertThat(System.nanoTime()).as("node %d leads again", node).isLessThan(deadline);
            Thread.sleep(200);
        }
    }

    private Path login() throws IOException {
        Path file = folder.resolve("client.properties");
        Files.writeString(file, """
                security.protocol=SASL_PLAINTEXT
                sasl.mechanism=SCRAM-SHA-512
                sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="millrace" password="right";
                """);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Map<String, Object> client(List<Integer> ports, Path login) throws IOException {
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(login)) {
            properties.load(in);
        }
        Map<String, Object> client = new HashMap<>();
        properties.forEach((key, value) -> client.put(key.toString(), value));
        client.put(
                "bootstrap.servers",
                String.join(",", ports.stream().map(port -> "127.0.0.1:" + port).toList()));
        return client;
    }
}
