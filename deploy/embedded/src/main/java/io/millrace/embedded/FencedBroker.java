package io.millrace.embedded;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

/** The metric of the controller in this JVM that says whether the broker is fenced: it has no session and leads no partition. */
final class FencedBroker {

    private static final String METRIC = "kafka.controller:type=KafkaController,name=FencedBrokerCount";
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private FencedBroker() {}

    /** @throws IOException if the broker is not fenced within {@code limit} */
    static void await(Duration limit) throws IOException {
        long until = System.nanoTime() + limit.toNanos();
        try {
            while (count() == 0) {
                if (System.nanoTime() > until) {
                    throw new IOException("Kafka's controller has not fenced the killed broker for " + limit.toSeconds()
                            + " s; start it again");
                }
                Thread.sleep(POLL_INTERVAL);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the controller starts", e);
        } catch (JMException e) {
            throw new IOException("cannot read the metric " + METRIC, e);
        }
    }

    private static int count() throws JMException {
        try {
            return (Integer) ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName(METRIC), "Value");
        } catch (InstanceNotFoundException e) {
            return 0; // the controller is still starting
        }
    }
}
