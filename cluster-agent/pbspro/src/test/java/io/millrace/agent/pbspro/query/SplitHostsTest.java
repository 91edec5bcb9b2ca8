package io.millrace.agent.pbspro.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.RecordedOutput;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Hosts with a vnode for each NUMA node. */
class SplitHostsTest {

    private static final String SERVER = """
        Server: srv
            server_state = Active
            scheduling = True
            default_queue = workq
            pbs_version = 23.06.06

        """;
    private static final String QUEUES = """
        Queue: workq
            queue_type = Execution
            enabled = True
            started = True

        """;
    private static final String JOBS = """
        Job Id: 7.srv
            Job_Name = md
            Job_Owner = anna@login
            job_state = R
            queue = workq
            ctime = Sun Mar  1 11:00:00 2026
            stime = Sun Mar  1 11:00:05 2026
            exec_host = n1/0*48+n2/0*4
            exec_vnode = (n1[0]:ncpus=32:mem=1gb+n1[1]:ncpus=16)+(n2:ncpus=4)
            Resource_List.ncpus = 52
            Resource_List.select = 1:ncpus=48+1:ncpus=4
            substate = 42

        """;

    private static String node(
            final String name, final String host, final String state, final int cores, final int used, final int gpus) {
        return """
            %s
                 state = %s
                 resources_available.host = %s
                 resources_available.mem = %dgb
                 resources_available.ncpus = %d
                 resources_available.ngpus = %d
                 resources_assigned.mem = %dgb
                 resources_assigned.ncpus = %d

            """.formatted(name, state, host, cores, cores, gpus, used, used);
    }

    private final Map<String, String> answers = new HashMap<>(Map.of(
            "qstat -B -f", SERVER,
            "qstat -Q -f", QUEUES,
            "qstat -t -f", JOBS,
            "pbsnodes -a", node("n1", "n1", "<various>", 64, 48, 4) + node("n2", "n2", "free", 8, 4, 0)));

    @Test
    void the_free_cores_of_a_host_are_those_of_its_usable_vnodes() {
        answers.put(
                "pbsnodes -av",
                node("n1", "n1", "free", 0, 0, 0)
                        + node("n1[0]", "n1", "job-busy", 32, 32, 2)
                        + node("n1[1]", "n1", "free", 16, 8, 1)
                        + node("n1[2]", "n1", "offline", 16, 8, 1)
                        + node("n2", "n2", "free", 8, 4, 0));

        final NodeObserved split = observed("n1");

        assertThat(split.availability()).isEqualTo(Availability.UP);
        assertThat(split.total()).isEqualTo(new Resources(64, 1, 65536, 4));
        assertThat(split.free()).isEqualTo(new Resources(8, 0, 8192, 3));
    }

    @Test
    void a_host_is_down_only_if_all_its_vnodes_are() {
        answers.put(
                "pbsnodes -av", node("n1[0]", "n1", "down", 32, 0, 0) + node("n1[1]", "n1", "down,offline", 32, 0, 0));

        assertThat(observed("n1").availability()).isEqualTo(Availability.DOWN);
        assertThat(observed("n1").free()).isEqualTo(Resources.NONE);
    }

    /** A version or a right that does not list vnodes. */
    @Test
    void without_its_vnodes_a_host_has_the_cores_that_no_job_uses() {
        assertThat(observed("n1").availability()).isEqualTo(Availability.UP);
        assertThat(observed("n1").free().cores()).isEqualTo(16);
    }

    @Test
    void a_job_on_vnodes_runs_on_their_hosts() {
        for (final String names : List.of("n1[0] n1[1]", "numa-a numa-b")) {
            final String[] name = names.split(" ");
            answers.put("qstat -t -f", JOBS.replace("n1[0]", name[0]).replace("n1[1]", name[1]));
            answers.put(
                    "pbsnodes -av",
                    node(name[0], "n1", "job-busy", 32, 32, 2) + node(name[1], "n1", "free", 32, 16, 2));

            final var job = observation().jobs().getFirst();

            assertThat(job.resources().nodes()).isEqualTo(2);
            assertThat(job.state())
                    .isInstanceOfSatisfying(
                            JobState.Running.class,
                            running ->
                                    assertThat(running.nodes()).containsExactly(NodeName.of("n1"), NodeName.of("n2")));
        }
    }

    private NodeObserved observed(final String node) {
        return observation().nodes().stream()
                .filter(one -> one.node().value().equals(node))
                .findFirst()
                .orElseThrow();
    }

    private Observation observation() {
        final Runner runner = new Runner() {
            @Override
            public <T> Answer<T> run(final CommandLine<T> command) {
                final String line = String.join(" ", command.argv()).replaceFirst("^\\S*/", "");
                final String answer = answers.get(line);
                return command.read(
                        answer == null
                                ? CommandResult.of(2, "", "usage: invalid option")
                                : CommandResult.of(0, answer, ""));
            }

            @Override
            public Runner as(final UserName owner) {
                return this;
            }
        };
        return new ClusterObserver(RecordedOutput.SITE, new PbsQueries(RecordedOutput.SITE, runner), Clock.systemUTC())
                .observe()
                .get();
    }
}
