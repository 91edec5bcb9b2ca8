package io.millrace.story;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** On real Slurm: the story as the demo tells it, and another one in which everything is killed while it goes on. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoryIT {

    private static final int JOBS = 12;

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
