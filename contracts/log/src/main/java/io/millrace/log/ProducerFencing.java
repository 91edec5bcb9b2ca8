package io.millrace.log;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/** Distinguishes a refusal because of fencing (transactional id, generation) from other failures. */
public final class ProducerFencing {

    private ProducerFencing() {}

    public static boolean shows(final @Nullable Throwable trouble) {
        for (Throwable t = trouble; t != null; t = t.getCause()) {
            if (t instanceof ProducerFencedException
                    || t instanceof InvalidProducerEpochException
                    || t instanceof CommitFailedException
                    || t instanceof IllegalGenerationException
                    || t instanceof UnknownMemberIdException
                    || t instanceof FencedInstanceIdException) {
                return true;
            }
        }
        return false;
    }
}
