package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FatalFailureTest {

    @Test
    void an_error_that_escapes_a_thread_ends_the_process() throws InterruptedException {
        final CountDownLatch exited = new CountDownLatch(1);
        final Thread thread = Thread.ofVirtual().name("worker").unstarted(() -> {
            throw new StackOverflowError();
        });
        thread.setUncaughtExceptionHandler(new FatalFailure(exited::countDown));

        thread.start();

        assertThat(exited.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
