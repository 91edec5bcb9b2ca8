package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.SecretSearch;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Attack;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A job from its make step to its end, while every command line of the host, and the environments of other users' processes, are read. */
class SecretVariablesIT extends AgentScenario {

    @Attack("another user of the host reads the variables of a job in /proc while it is made, submitted and run")
    @Test
    void no_variable_of_a_job_is_ever_where_another_user_can_read_it() throws Exception {
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
        final SecretSearch search =
                SecretSearch.start(secret, TestAccounts.ordinary().uid());
        final Set<String> found;
        try {
            deciders.does(Issuer.MIGRATION, new Action.Make(attempt, UserName.of("anna"), job, staged.toString(), ""));
            assertThat(staged.resolve("millrace-make.out")).hasContent(secret);
            final JobKey key = deciders.submit(attempt, staged, job);
            deciders.does(Issuer.MIGRATION, new Action.Release(key));
            deciders.does(Issuer.BACKFILL, new Action.Start(key));
            deciders.awaitEnd(key);
        } finally {
            found = search.stop();
        }
        assertThat(staged.resolve("millrace-" + attempt.job() + ".out")).hasContent(secret);
        assertThat(found).isEmpty();
        assertThat(SecretSearch.start("java", 0).stop())
                .as("command lines can be read at all")
                .isNotEmpty();
    }
}
