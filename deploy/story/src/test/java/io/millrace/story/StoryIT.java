package io.millrace.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

/** On real Slurm: the story as the demo tells it, and another one in which everything is killed while it goes on. */
@Tag("slurm")
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoryIT {

    private static final int JOBS = 12;

    private static final Path ROOT = Path.of("/");
    private static final List<String> OPEN_RIGHT = List.of(
            "reach", "-c", "beta", "--from", "left", "--at", "1020000", "--to", "right", "--reason", "it stands idle");

    private static final List<String> EVERYTHING_OF_OURS = List.of(
            "migration",
            "transfer",
            "agent-beta",
            "backfill",
            "submit",
            "agent-alpha",
            "quota",
            "agent-gamma",
            "classifier");

    private final Show show = new Show(System.out, false);
    private @Nullable Stage opened;

    @BeforeAll
    void open() {
        opened = Stage.open();
    }

    @AfterAll
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private Stage stage() {
        return Objects.requireNonNull(opened);
    }

    @Test
    @Order(2)
    void every_promise_of_the_story_is_kept() {
        assertThat(Demo.STORY.on(stage().site(), show))
                .isNotEmpty()
                .allSatisfy(verdict -> assertThat(verdict.kept())
                        .as("%s: %s", verdict.promise(), verdict.seen())
                        .isTrue());
    }

    @Test
    @Order(1)
    void whatever_is_killed_every_job_runs_once_and_its_results_come_home() {
        final Site site = stage().site();
        final Person operator = site.person("operator");
        final Person bob = site.person("bob");
        List.of(operator, bob).forEach(Person::logIn);
        final Views views = new Views(new Api(site, operator.tokenFile()));
        final Board board = new Board(views, show);
        final List<String> jobs = new ArrayList<>();
        for (int i = 1; i <= JOBS; i++) {
            jobs.add(submit(bob, i));
        }

        EVERYTHING_OF_OURS.forEach(stage()::kill);

        assertThat(board.until(
                        "all " + JOBS + " jobs are over",
                        b -> jobs.stream()
                                .allMatch(id -> b.globalJob(id)
                                        .map(Views.GlobalJob::isOver)
                                        .orElse(false))))
                .isTrue();
        for (int i = 1; i <= JOBS; i++) {
            final String id = jobs.get(i - 1);
            assertThat(board.globalJob(id).orElseThrow().state())
                    .as("state of job %s", id)
                    .isEqualTo("End");
            assertThat(Texts.readIfThere(directory(bob, i).resolve("ran.txt")).lines())
                    .as(
                            "runs of job %s, of which is said: %s",
                            id, views.why(id).replace('\n', ' '))
                    .containsExactly("run of job " + i);
        }
    }

    /** on two partitions that beta gets meanwhile; both jobs are within their owner's quota. */
    @Test
    @Order(3)
    void who_passes_the_threshold_starts_in_another_partition_when_the_own_is_full_and_who_does_not_waits() {
        final Site site = stage().site();
        final Site.Cluster beta = site.cluster("beta");
        final Person operator = site.person("operator");
        final Views views = new Views(new Api(site, operator.tokenFile()));
        final Board board = new Board(views, show);
        slurm(beta, "scontrol", "create", "PartitionName=left", "Nodes=n[1-2]", "MaxTime=60", "State=UP");
        slurm(beta, "scontrol", "create", "PartitionName=right", "Nodes=n[3-4]", "MaxTime=60", "State=UP");
        operator.millrace("beta", "mgprio", List.of("weights", "--size", "100000", "--reason", "wide jobs first"))
                .orThrow();
        assertThat(board.until(
                        "wide jobs of left may use right, once the agent has seen these partitions",
                        b -> operator.millrace("beta", "mgprio", OPEN_RIGHT).exit() == 0))
                .isTrue();

        inLeft(site.person("alice"), beta, "full", 8);
        assertThat(board.until("left is full", b -> b.runs("full"))).isTrue();
        inLeft(site.person("bob"), beta, "narrow", 1);
        inLeft(site.person("bob"), beta, "wide", 4);

        assertThat(board.until("the wide job runs", b -> b.runs("wide"))).isTrue();
        assertThat(slurm(beta, "squeue", "-h", "-n", "wide,narrow", "-o", "%j %P %T")
                        .lines())
                .containsExactlyInAnyOrder("wide right RUNNING", "narrow left PENDING");
        assertThat(views.whyLocal(board.job("narrow").orElseThrow().job()))
                .contains("A higher priority than its 1006000 opens partition right (from 1020000 on)");
        assertThat(views.orders(board.job("wide").orElseThrow().job()))
                .anySatisfy(
                        order -> assertThat(order.reason()).startsWith("in partition 'right', which is open to it"));
    }

    private static void inLeft(final Person owner, final Site.Cluster cluster, final String name, final int cores) {
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

    /** Some are wider than what alpha has left, so that they go to other clusters and their files travel. */
    private static String submit(final Person bob, final int number) {
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
                        "-d",
                        directory.toString(),
                        directory + "/job.sh"));
    }

    private static Path directory(final Person bob, final int number) {
        return bob.home().resolve("crash").resolve("job-" + number);
    }
}
