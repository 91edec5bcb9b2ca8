package io.millrace.lab.campaigns.plane;

import io.millrace.log.Clients;
import io.millrace.model.protocol.Topic;
import io.millrace.story.StackParts;
import io.millrace.story.Texts;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * What the parts of a running stack have used so far. The difference of two is the cost of what happened in between.
 *
 * @param machineSeconds user and system time of all processes of this machine
 * @param processorSeconds by part, user and system time; under {@link #CHILDREN} that of ended jobs and other processes of the agents
 * @param memoryMib memory by part; a page that several processes share, such as one of libjvm, is divided among them (PSS)
 * @param records by topic, transaction markers included
 * @param statements SQL statements by command, such as {@code select}
 */
record PlaneFigures(
        double machineSeconds,
        Map<String, Double> processorSeconds,
        Map<String, Double> memoryMib,
        Map<String, Double> records,
        Map<String, Double> statements) {

    /** The jobs of embedded clusters, copies and the programs that an agent calls. */
    static final String CHILDREN = "programs";

    private static final String AGENT = "agent-";

    /** USER_HZ, which is 100 on every Linux platform that Java supports. */
    private static final double TICKS_PER_SECOND = 100;

    private static final double KIB_PER_MIB = 1024;
    private static final int USER_TICKS = 11; // fields of /proc/PID/stat after the command, see proc(5)
    private static final int SYSTEM_TICKS = 12;
    private static final int CHILDREN_USER_TICKS = 13;
    private static final int CHILDREN_SYSTEM_TICKS = 14;

    static PlaneFigures read(final StackParts stack) {
        final Map<String, Double> processor = new TreeMap<>();
        final Map<String, Double> memory = new TreeMap<>();
        for (final String part : stack.all().stream().filter(stack::isAlive).toList()) {
            final String[] stat = stat(stack.pid(part));
            processor.put(part, seconds(stat, USER_TICKS, SYSTEM_TICKS));
            if (part.startsWith(AGENT)) {
                processor.merge(CHILDREN, seconds(stat, CHILDREN_USER_TICKS, CHILDREN_SYSTEM_TICKS), Double::sum);
            }
            memory.put(part, proportionalMib(stack.pid(part)));
        }
        return new PlaneFigures(busySeconds(), processor, memory, records(stack), statements(stack));
    }

    /** The first line of /proc/stat: user, nice and system time. */
    private static double busySeconds() {
        final String[] stat = Texts.read(Path.of("/proc/stat"))
                .lines()
                .findFirst()
                .orElseThrow()
                .split(" +", -1);
        return (Long.parseLong(stat[1]) + Long.parseLong(stat[2]) + Long.parseLong(stat[3])) / TICKS_PER_SECOND;
    }

    private static double seconds(final String[] stat, final int user, final int system) {
        return (Long.parseLong(stat[user]) + Long.parseLong(stat[system])) / TICKS_PER_SECOND;
    }

    private static String[] stat(final long pid) {
        final String line = Texts.read(Path.of("/proc", Long.toString(pid), "stat"));
        return line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    }

    private static double proportionalMib(final long pid) {
        return Texts.read(Path.of("/proc", Long.toString(pid), "smaps_rollup"))
                .lines()
                .filter(line -> line.startsWith("Pss:"))
                .mapToDouble(line -> Long.parseLong(line.split("\\s+")[1]) / KIB_PER_MIB)
                .sum();
    }

    private static Map<String, Double> records(final StackParts stack) {
        try (Admin admin = Clients.openAdmin(stack.broker(), stack.brokerLogin())) {
            final List<String> topics = List.copyOf(admin.listTopics(new ListTopicsOptions().listInternal(true))
                    .names()
                    .get());
            final Map<TopicPartition, OffsetSpec> ends =
                    admin.describeTopics(topics).allTopicNames().get().values().stream()
                            .flatMap(topic -> topic.partitions().stream()
                                    .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get().entrySet().stream()
                    .collect(Collectors.groupingBy(
                            end -> family(end.getKey().topic()),
                            TreeMap::new,
                            Collectors.summingDouble(end -> end.getValue().offset())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while counting records", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot count the records on the broker: " + e.getMessage(), e);
        }
    }

    /** The topics of all clusters count as one. */
    private static String family(final String topicName) {
        return Topic.find(topicName).map(Topic::topicName).orElse(topicName);
    }

    private static Map<String, Double> statements(final StackParts stack) {
        final Map<String, Double> counts = new TreeMap<>();
        try (Connection connection = database(stack);
                ResultSet lines = connection
                        .createStatement()
                        .executeQuery(
                                "show global status where Variable_name in ('Com_select', 'Com_insert', 'Com_update',"
                                        + " 'Com_delete', 'Com_commit', 'Questions')")) {
            while (lines.next()) {
                counts.put(lines.getString(1).replace("Com_", ""), lines.getDouble(2));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot count the SQL statements: " + e.getMessage(), e);
        }
        return counts;
    }

    /** The read model. */
    static Connection database(final StackParts stack) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:" + stack.port(StackParts.DATABASE) + "/millrace",
                "millrace",
                Texts.read(stack.data().resolve("database-password")).strip());
    }

    PlaneFigures since(final PlaneFigures earlier) {
        return new PlaneFigures(
                machineSeconds - earlier.machineSeconds,
                minus(processorSeconds, earlier.processorSeconds),
                memoryMib,
                minus(records, earlier.records),
                minus(statements, earlier.statements));
    }

    private static Map<String, Double> minus(final Map<String, Double> now, final Map<String, Double> then) {
        final Map<String, Double> difference = new TreeMap<>();
        now.forEach((key, value) -> difference.put(key, value - then.getOrDefault(key, 0.0)));
        return difference;
    }

    static double total(final Map<String, Double> figures) {
        return figures.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
