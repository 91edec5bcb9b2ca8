package io.millrace.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** On real Slurm: the demonstration, and jobs that survive the crash of every part. */
@Tag("slurm")
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EndToEndIT {

    private static final int JOBS = 12;

    /** New for each test run: the home folders remain if a run is killed. */
    private static final String JOBS_FOLDER = "crash-" + System.currentTimeMillis();

    /** Of the Makefile: 3 chains of 3 steps, which 2 more steps join. */
    private static final String CHAINS = "N=1 2 3";

    private static final Path ROOT = Path.of("/");
    private static final List<String> OPEN_RIGHT = List.of(
            "overflow", "-c", "beta", "--from", "left", "--at", "1020000", "--to", "right", "--reason", "it is idle");

    private static final List<String> ALL_PARTS = List.of(
            "migration",
            "transfer",
            "agent-beta",
            "backfill",
            "submit",
            "agent-alpha",
            "quota",
            "agent-gamma",
            "classifier");

    private final ProgressOutput output = new ProgressOutput(System.out, false);
    private @Nullable LiveStack opened;

    @BeforeAll
    void open() {
        opened = LiveStack.open();
    }

    @AfterAll
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private LiveStack stack() {
        return Objects.requireNonNull(opened);
    }

    @Test
    @Order(2)
    void every_promise_of_the_demo_is_kept() {
        assertThat(Demo.SCENARIO.on(stack().site(), output))
                .isNotEmpty()
                .allSatisfy(verdict -> assertThat(verdict.kept())
                        .as("%s: %s", verdict.promise(), verdict.seen())
                        .isTrue());
    }

    @Test
    @Order(1)
    void every_job_runs_once_and_its_results_return_although_each_part_is_killed() {
        final Site site = stack().site();
        final SiteUser operator = site.user("operator");
        final SiteUser bob = site.user("bob");
        List.of(operator, bob).forEach(SiteUser::logIn);
        final RestQueries queries = new RestQueries(new RestClient(site, operator.tokenFile()));
        final QueueMonitor queues = new QueueMonitor(queries, output);
        final List<String> jobs = new ArrayList<>();
        for (int i = 1; i <= JOBS; i++) {
            jobs.add(submit(bob, i));
        }

        ALL_PARTS.forEach(stack()::kill);

        assertThat(queues.until(
                        "all " + JOBS + " jobs have ended",
                        b -> jobs.stream()
                                .allMatch(id -> b.globalJob(id)
                                        .map(RestQueries.GlobalJob::isOver)
                                        .orElse(false))))
                .isTrue();
        for (int i = 1; i <= JOBS; i++) {
            final String id = jobs.get(i - 1);
            assertThat(queues.globalJob(id).orElseThrow().state())
                    .as("state of job %s", id)
                    .isEqualTo("succeeded");
            assertThat(Texts.readIfThere(directory(bob, i).resolve("ran.txt")).lines())
                    .as("runs of job %s: %s", id, queries.why(id).replace('\n', ' '))
                    .containsExactly("run of job " + i);
        }
    }

    /** The Makefile knows only sbatch; each of its stages runs on another cluster. */
    @Test
    @Order(4)
    void a_makefile_for_slurm_runs_on_three_clusters_and_has_the_result_of_a_run_without_clusters() throws IOException {
        final Site site = stack().site();
        final SiteUser bob = site.user("bob");
        bob.logIn();
        final Path folder = bob.home().resolve(JOBS_FOLDER).resolve("make");
        final String makefile = Files.readString(Path.of("../../lab/workflows/Makefile"));
        bob.write(folder.resolve("clusters/Makefile"), makefile);
        bob.write(folder.resolve("here/Makefile"), makefile);
        final Map<String, String> shell = new HashMap<>(bob.environment("alpha"));
        final Path commands = site.tools().resolveSibling("slurm");
        shell.put("PATH", commands + ":" + System.getenv("PATH"));

        Shell.run(List.of("make", "-s", CHAINS), folder.resolve("here"), shell).orThrow();
        Shell.run(
                        List.of(
                                "make",
                                "-s",
                                "-j4",
                                CHAINS,
                                "RUN=sbatch --wait -Q -t 10 --wrap",
                                "FIRST=-M alpha",
                                "SECOND=-M beta",
                                "THIRD=-M gamma"),
                        folder.resolve("clusters"),
                        shell)
                .orThrow();

        assertThat(folder.resolve("clusters/report.txt")).hasSameTextualContentAs(folder.resolve("here/report.txt"));
        assertThat(Shell.run(
                                List.of(
                                        commands.resolve("sacct").toString(),
                                        "-X",
                                        "-n",
                                        "-P",
                                        "-S",
                                        "now-1days",
                                        "--name",
                                        "wrap",
                                        "-o",
                                        "Cluster,State"),
                                folder,
                                shell)
                        .orThrow()
                        .lines())
                .hasSize(11)
                .contains("alpha|COMPLETED", "beta|COMPLETED", "gamma|COMPLETED")
                .allMatch(line -> line.endsWith("|COMPLETED"));
    }

    /** on two partitions that the test adds to beta. Both jobs are within their owners' quotas. */
    @Test
    @Order(3)
    void a_job_above_the_threshold_starts_in_another_partition_when_its_own_is_full_and_one_below_waits() {
        final Site site = stack().site();
        final Site.Cluster beta = site.cluster("beta");
        final SiteUser operator = site.user("operator");
        final RestQueries queries = new RestQueries(new RestClient(site, operator.tokenFile()));
        final QueueMonitor queues = new QueueMonitor(queries, output);
        slurm(beta, "scontrol", "create", "PartitionName=left", "Nodes=n[1-2]", "MaxTime=60", "State=UP");
        slurm(beta, "scontrol", "create", "PartitionName=right", "Nodes=n[3-4]", "MaxTime=60", "State=UP");
        operator.millrace("beta", "mgprio", List.of("weights", "--size", "100000", "--reason", "wide jobs first"))
                .orThrow();
        assertThat(queues.until(
                        "wide jobs of left may use right, once the agent has seen these partitions",
                        b -> operator.millrace("beta", "mgprio", OPEN_RIGHT).exit() == 0))
                .isTrue();

        inLeft(site.user("alice"), beta, "full", 8);
        assertThat(queues.until("left is full", b -> b.runs("full"))).isTrue();
        inLeft(site.user("bob"), beta, "narrow", 1);
        inLeft(site.user("bob"), beta, "wide", 4);

        assertThat(queues.until("the wide job runs", b -> b.runs("wide"))).isTrue();
        assertThat(slurm(beta, "squeue", "-h", "-n", "wide,narrow", "-o", "%j %P %T")
                        .lines())
                .containsExactlyInAnyOrder("wide right RUNNING", "narrow left PENDING");
        assertThat(queries.whyLocal(queues.job("narrow").orElseThrow().job()))
                .contains("A priority higher than its 1006000 would open partition right (from priority 1020000)");
        assertThat(queries.orders(queues.job("wide").orElseThrow().job()))
                .anySatisfy(order -> assertThat(order.reason()).startsWith("in partition 'right'"));
    }

    private static void inLeft(final SiteUser owner, final Site.Cluster cluster, final String name, final int cores) {
        owner.sbatch(cluster, name, cores, Duration.ofMinutes(30), "sleep 1500", List.of("-p", "left"));
    }

    private static String slurm(final Site.Cluster cluster, final String... command) {
        return Shell.run(
                        List.of(command),
                        ROOT,
                        Map.of(
                                "SLURM_CONF",
                                Objects.requireNonNull(cluster.slurmConf()).toString()))
                .orThrow();
    }

    /** Together the jobs need more cores than alpha has free, so some run on other clusters and their files are copied. */
    private static String submit(final SiteUser bob, final int number) {
        final Path directory = directory(bob, number);
        bob.write(directory.resolve("job.sh"), "#!/bin/sh\nsleep 4\necho 'run of job " + number + "' >>ran.txt\n");
        return bob.mgsub(
                "alpha",
                List.of(
                        "-n",
                        "4",
                        "-t",
                        "" + Duration.ofMinutes(5).toMinutes(),
                        "-J",
                        "crash-" + number,
                        "-D",
                        directory.toString(),
                        directory + "/job.sh"));
    }

    private static Path directory(final SiteUser bob, final int number) {
        return bob.home().resolve(JOBS_FOLDER).resolve("job-" + number);
    }
}
