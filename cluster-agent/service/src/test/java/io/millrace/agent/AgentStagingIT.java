package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Make steps and copies of directories in the staging directory of an agent. */
class AgentStagingIT extends AgentScenario {

    @Test
    void a_make_step_runs_in_the_staging_directory_and_its_failure_is_reported() throws IOException {
        final AttemptId attempt = deciders.attempt();
        final Path staged = home.resolve("staging/anna/" + attempt);
        final JobSpec good = new JobSpec(
                "job",
                SLEEP,
                "#!/bin/sh\necho built >program\necho talk\n",
                spec(SLEEP, 1).resources(),
                Duration.ofMinutes(1),
                null,
                null,
                Map.of(),
                spec(SLEEP, 1).checkpoint(),
                false);
        deciders.does(Issuer.MIGRATION, new Action.Make(attempt, UserName.of("anna"), good, staged.toString(), ""));
        assertThat(Files.readString(staged.resolve("program"))).isEqualTo("built\n");
        assertThat(Files.readString(staged.resolve("millrace-make.out"))).isEqualTo("talk\n");

        final JobSpec bad = new JobSpec(
                "job",
                SLEEP,
                "#!/bin/sh\nexit 2\n",
                spec(SLEEP, 1).resources(),
                Duration.ofMinutes(1),
                null,
                null,
                Map.of(),
                spec(SLEEP, 1).checkpoint(),
                false);
        final Result answer = deciders.answers(
                Issuer.MIGRATION, new Action.Make(attempt, UserName.of("anna"), bad, staged.toString(), ""));
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("exited with code 2"));
        final Result outside = deciders.answers(
                Issuer.MIGRATION,
                new Action.Make(
                        attempt,
                        UserName.of("anna"),
                        good,
                        home.resolve("staging/bob/" + attempt).toString(),
                        ""));
        assertThat(outside)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("is not below"));
    }

    @Test
    void a_tree_is_copied_while_other_commands_go_on() throws IOException {
        Files.writeString(directory.resolve("größe.txt"), "12345");
        final AttemptId attempt = deciders.attempt();
        final Path staged = home.resolve("staging/" + System.getProperty("user.name") + "x/" + attempt);
        final UserName owner = UserName.of(staged.getParent().getFileName().toString());
        final Result answer = deciders.answers(
                Issuer.TRANSFER,
                new Action.CopyTree(
                        TransferId.of(attempt + "/upload"),
                        owner,
                        new Place(deciders.cluster, null, directory.toString()),
                        new Place(deciders.cluster, null, staged.toString())));
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Result.Done.class, done -> assertThat(done.detail()).contains("digest"));
        assertThat(Files.readString(staged.resolve("größe.txt"))).isEqualTo("12345");
    }

    @Test
    void the_copy_of_a_directory_is_removed_when_no_job_of_it_is_in_the_queue() throws IOException {
        Files.writeString(directory.resolve("input"), "12345");
        final AttemptId attempt = deciders.attempt();
        final Path staged = home.resolve("staging/anna/" + attempt);
        deciders.answers(
                Issuer.TRANSFER,
                new Action.CopyTree(
                        TransferId.of(attempt + "/upload"),
                        UserName.of("anna"),
                        new Place(deciders.cluster, null, directory.toString()),
                        new Place(deciders.cluster, null, staged.toString())));
        final JobKey job = deciders.submit(attempt, staged, spec(SLEEP, 1));
        final Action remove = new Action.RemoveCopy(attempt, UserName.of("anna"), staged.toString(), "");
        assertRefused(deciders.answers(Issuer.TRANSFER, remove), Refusal.STALE, job + ", which is still in the queue");
        assertThat(staged.resolve("input")).exists();

        deciders.answers(Issuer.MIGRATION, new Action.Cancel(job));
        deciders.awaitEnd(job);

        assertThat(deciders.answers(Issuer.TRANSFER, remove)).isInstanceOf(Result.Done.class);
        assertThat(staged).doesNotExist();
        assertThat(staged.getParent()).exists();
        assertThat(directory.resolve("input")).exists();
    }
}
