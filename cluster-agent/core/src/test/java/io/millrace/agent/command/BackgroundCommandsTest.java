package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.ResultMapper;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.transfer.Place;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BackgroundCommandsTest {

    private static final ClusterId CLUSTER = ClusterId.of("alpha");
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch woken = new CountDownLatch(1);
    private final BackgroundCommands background = new BackgroundCommands(woken::countDown);

    @Test
    void a_reclaim_changes_the_queue_until_it_has_ended_even_if_its_result_is_not_published_yet()
            throws InterruptedException {
        final Command reclaim = command(new Action.Reclaim(List.of(job(1)), job(2), null));
        start(reclaim);
        assertThat(background.isChangingQueue()).isTrue();

        release.countDown();
        woken.await();

        assertThat(background.isChangingQueue()).isFalse();
        assertThat(background.isRunning(reclaim.id())).isTrue();
        background.finished().forEach(background::acknowledge);
        assertThat(background.isRunning(reclaim.id())).isFalse();
    }

    @Test
    void a_copy_does_not_change_the_queue() {
        final Place place = new Place(CLUSTER, null, "/tmp/x");
        start(command(new Action.CopyTree(TransferId.of("x/upload"), UserName.of("anna"), place, place)));

        assertThat(background.isChangingQueue()).isFalse();
        release.countDown();
    }

    private void start(final Command command) {
        background.start(command, () -> {
            release.await();
            return ResultMapper.done("done");
        });
    }

    private static JobKey job(final int id) {
        return new JobKey(new JobId(CLUSTER, Integer.toString(id)), NOON);
    }

    private static Command command(final Action action) {
        return new Command(
                CommandId.of("test"), CLUSTER, Issuer.QUOTA, 1, NOON, NOON.plusSeconds(60), List.of(), action, "test");
    }
}
