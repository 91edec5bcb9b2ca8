package io.millrace.submit;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.model.file.FileRequest;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.config.ConfigProvider;

/** Reads requests about the files of a user, from its start on. */
final class FakeFileAgent implements AutoCloseable {

    private final String user;
    private final KafkaConsumer<byte[], byte[]> consumer;

    FakeFileAgent(final String user) {
        this.user = user;
        this.consumer = Clients.openConsumer(Clients.consumer(
                ConfigProvider.getConfig().getValue("millrace.kafka.bootstrap-servers", String.class),
                "fake-agent",
                Map.of()));
        final List<TopicPartition> all = Stream.of(TestData.ALPHA, TestData.BETA)
                .peek(TestData::known)
                .map(cluster -> new TopicPartition(Topic.FILE_REQUESTS.topicName(cluster), 0))
                .toList();
        consumer.assign(all);
        consumer.seekToEnd(all);
        all.forEach(consumer::position);
    }

    /** The next requests; fewer if they do not arrive within minutes. */
    List<FileRequest> requests(final int count) {
        final List<FileRequest> requests = new ArrayList<>();
        final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
        while (requests.size() < count && Instant.now().isBefore(limit)) {
            consumer.poll(Duration.ofMillis(100))
                    .forEach(record -> EventCodec.read(record).ifPresent(read -> {
                        if (read.event() instanceof FileRequest request
                                && request.owner().value().equals(user)) {
                            requests.add(request);
                        }
                    }));
        }
        return requests;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
