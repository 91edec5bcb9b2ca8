package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A job from its make step to its end, while every command line of the host is read. */
class SecretVariablesIT extends AgentScenario {

    @Attack("another user of the host reads the variables of a job in /proc while it is made, submitted and run")
    @Test
    void no_variable_of_a_job_is_ever_in_a_command_line() throws Exception {
        final String secret = "secret-" + UUID.randomUUID();
        final AttemptId attempt = deciders.attempt();
        final Path staged = home.resolve("staging/anna/" + attempt);
        final JobSpec plain = spec("#!/bin/sh\necho \"$SECRET\"; sleep 2\n", 1);
        final JobSpec job = new JobSpec(
                        "job",
                        plain.script(),
                        "#!/bin/sh\necho \"$SECRET\"; sleep 2\n",
                        plain.resources(),
                        Duration.ofMinutes(5),
                        null,
                        null,
                        Map.of(),
                        plain.checkpoint(),
                        false)
                .withEnvironment(Map.of("SECRET", secret));
        final Set<String> found = new ConcurrentSkipListSet<>();
        final long[] looks = {0};
        final Thread reader = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                found.addAll(commandLinesWith(secret));
                looks[0]++;
            }
        });
        try {
            deciders.does(Issuer.MIGRATION, new Action.Make(attempt, UserName.of("anna"), job, staged.toString(), ""));
            assertThat(staged.resolve("millrace-make.out")).hasContent(secret);
            final JobKey key = deciders.submit(attempt, staged, job);
            deciders.does(Issuer.MIGRATION, new Action.Release(key));
            deciders.does(Issuer.BACKFILL, new Action.Start(key));
            deciders.awaitEnd(key);
        } finally {
            reader.interrupt();
            reader.join();
        }
        assertThat(staged.resolve("millrace-" + attempt.job() + ".out")).hasContent(secret);
        assertThat(found).isEmpty();
        assertThat(looks[0]).as("times that all command lines were read").isPositive();
        assertThat(commandLinesWith("java"))
                .as("command lines can be read at all")
                .isNotEmpty();
    }

    private static List<String> commandLinesWith(final String text) {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(path ->
                            Character.isDigit(path.getFileName().toString().charAt(0)))
                    .map(SecretVariablesIT::commandLine)
                    .filter(line -> line.contains(text))
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String commandLine(final Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (final IOException e) {
            return ""; // it has ended
        }
    }
}
