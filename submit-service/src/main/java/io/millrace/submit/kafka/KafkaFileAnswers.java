package io.millrace.submit.kafka;

import io.millrace.log.EventCodec;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.ClusterId;
import io.millrace.model.file.FileAnswer;
import io.millrace.model.file.FileResult;
import io.millrace.submit.files.FileAnswers;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every instance reads all answers, and keeps those that its own requests wait for. */
@ApplicationScoped
class KafkaFileAnswers implements FileAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFileAnswers.class);

    private final Map<Expected, CompletableFuture<FileResult>> expected = new ConcurrentHashMap<>();

    /** An answer counts only if it comes from the cluster that was asked. */
    private record Expected(ClusterId cluster, String request) {}

    @Override
    public CompletableFuture<FileResult> expect(final ClusterId cluster, final String request) {
        return expected.computeIfAbsent(new Expected(cluster, request), id -> new CompletableFuture<>());
    }

    @Override
    public void forget(final ClusterId cluster, final String request) {
        expected.remove(new Expected(cluster, request));
    }

    /** Not by a worker thread: all of them may be waiting for an answer. */
    @Incoming("file-answers")
    void answered(final ConsumerRecord<byte[], byte[]> record) {
        try {
            EventCodec.read(record).ifPresent(read -> {
                if (read.event() instanceof FileAnswer answer) {
                    final CompletableFuture<FileResult> waiting =
                            expected.get(new Expected(answer.cluster(), answer.request()));
                    if (waiting != null) {
                        waiting.complete(answer.result());
                    }
                }
            });
        } catch (UnreadableMessageException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("an answer about a file cannot be read");
        }
    }
}
