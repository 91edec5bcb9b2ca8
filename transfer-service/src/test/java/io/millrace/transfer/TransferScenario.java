package io.millrace.transfer;

import static io.millrace.transfer.domain.World.ALPHA;
import static io.millrace.transfer.domain.World.BETA;
import static io.millrace.transfer.domain.World.GAMMA;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Request;
import io.millrace.transfer.domain.Policies;
import io.millrace.transfer.domain.World;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Three available clusters; after each test, a restarted service publishes nothing. */
abstract class TransferScenario {

    static final Result DONE = new Result.Done(null, "12 files, 3 MiB, sha256 ab");
    static final Result FAILED = new Result.Failed("rsync: connection reset");

    final World world = new World(Policies.INSTALLED);

    @BeforeEach
    void everything_is_available() {
        world.heartbeat(ALPHA, BETA, GAMMA);
    }

    @AfterEach
    void a_restart_publishes_nothing() {
        world.decide();
        world.restart();
        assertThat(world.decide()).isEmpty();
    }

    Command copy(final int n) {
        world.ask(n, ALPHA, BETA);
        world.decide();
        return world.copies().getLast();
    }

    void later(final Duration time) {
        world.pass(time);
        world.heartbeat(ALPHA, BETA, GAMMA);
        world.decide();
    }

    void unwanted(final int n) {
        world.say(new Request.TransferCancelRequested(World.id(n), "the job is stopped", world.now));
        world.decide();
    }
}
