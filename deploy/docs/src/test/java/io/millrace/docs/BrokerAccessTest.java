package io.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.access.BrokerAccess;
import io.millrace.log.access.BrokerAccess.Name;
import io.millrace.log.access.Part;
import io.millrace.log.access.Part.Agent;
import io.millrace.log.access.Part.Service;
import io.millrace.model.ClusterId;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The access table gives each part what its sources read and write, and nothing else. */
class BrokerAccessTest {

    private static final Pattern LOOP = Pattern.compile(
            "LoopSettings\\.of\\(\\s*bootstrapServers,\\s*Service\\.(\\w+),\\s*\"([\\w-]+)\"(.*?)partition\\s*->",
            Pattern.DOTALL);
    private static final Pattern TOPIC = Pattern.compile("Topic\\.([A-Z_]+)\\b");
    private static final Pattern EVENT = Pattern.compile("new (?:\\w+\\.)?(\\w+)\\(");

    /** Events that a part makes and does not write: a job that could run, a job as the read model stores it, and a budget that is previewed. */
    private static final Map<Part, Set<Topic>> ONLY_IN_MEMORY = Map.of(
            Service.QUOTA, Set.of(Topic.CLUSTER_STATE),
            Service.SUBMIT, Set.of(Topic.GLOBAL_JOBS, Topic.QUOTAS));

    private static final Map<String, Topic> TOPIC_OF = Arrays.stream(EventType.values())
            .collect(Collectors.toMap(type -> type.record().getSimpleName(), EventType::topic));

    @ParameterizedTest
    @EnumSource(value = Service.class, mode = EnumSource.Mode.EXCLUDE, names = "SUBMIT")
    void a_deciding_service_may_read_what_its_loops_read(final Service service) {
        final List<MatchResult> loops = sources(folder(service))
                .flatMap(text -> LOOP.matcher(text).results())
                .toList();
        final Set<Topic> read = EnumSet.noneOf(Topic.class);
        final Set<String> groups = new TreeSet<>();
        for (final MatchResult loop : loops) {
            assertThat(Service.valueOf(loop.group(1))).isEqualTo(service);
            groups.add(loop.group(2));
            TOPIC.matcher(loop.group(3))
                    .results()
                    .map(found -> Topic.valueOf(found.group(1)))
                    .forEach(read::add);
        }
        final BrokerAccess row = BrokerAccess.of(service);
        assertThat(row.reads()).isEqualTo(read);
        assertThat(row.groups()).extracting(Name::toString).containsExactlyInAnyOrderElementsOf(groups);
        assertThat(row.transactions())
                .extracting(Name::toString)
                .containsExactlyInAnyOrderElementsOf(
                        groups.stream().map(group -> group + "-*").toList());
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void a_service_may_write_the_events_that_it_makes(final Service service) {
        final Set<Topic> made = made(folder(service));
        assertThat(made).containsAll(ONLY_IN_MEMORY.getOrDefault(service, Set.of()));
        made.removeAll(ONLY_IN_MEMORY.getOrDefault(service, Set.of()));
        assertThat(BrokerAccess.of(service).writes()).isEqualTo(made);
    }

    @Test
    void an_agent_may_write_the_events_that_it_makes_and_read_what_its_log_reads() {
        final BrokerAccess row = BrokerAccess.of(new Agent(ClusterId.of("alpha")));
        final Set<Topic> made = made(path ->
                path.startsWith("cluster-agent/") && path.contains("/src/main/") && !path.contains("/acceptance/"));
        assertThat(row.writes()).isEqualTo(made);
        final Set<Topic> named = sources(
                        path -> path.startsWith("cluster-agent/core/src/main/java/io/millrace/agent/kafka/"))
                .flatMap(text -> TOPIC.matcher(text).results())
                .map(found -> Topic.valueOf(found.group(1)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Topic.class)));
        if (sources(path -> path.startsWith("cluster-agent/core/src/main/java/io/millrace/agent/kafka/"))
                .anyMatch(text -> text.contains("new LockedUsers("))) {
            named.add(Topic.LOCKS);
        }
        assertThat(row.reads()).isEqualTo(named);
    }

    private static Set<Topic> made(final Predicate<String> path) {
        return sources(path)
                .flatMap(text -> EVENT.matcher(text).results())
                .map(found -> found.group(1))
                .filter(TOPIC_OF::containsKey)
                .map(TOPIC_OF::get)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Topic.class)));
    }

    private static Predicate<String> folder(final Service service) {
        return path -> path.startsWith(service.id() + "-service/src/main/");
    }

    private static Stream<String> sources(final Predicate<String> path) {
        return SourceTree.files(file -> file.endsWith(".java") && path.test(file)).stream()
                .map(SourceTree::read);
    }
}
