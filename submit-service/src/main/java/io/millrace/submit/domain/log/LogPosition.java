package io.millrace.submit.domain.log;

import io.millrace.model.protocol.Topic;

/**
 * The position of a record on the log, written {@code topic/partition/offset}, e.g. {@code millrace.submissions/0/17}.
 *
 * @param topicName name of the Kafka topic
 * @param offset offset of the record itself
 */
public record LogPosition(String topicName, int partition, long offset) {

    /** @throws IllegalArgumentException if it is not a topic of Millrace */
    public LogPosition {
        Topic.named(topicName);
    }

    /** @throws IllegalArgumentException with a message for the user */
    public static LogPosition of(final String text) {
        final String[] parts = text.strip().split("/", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid log position; use topic/partition/offset");
        }
        try {
            return new LogPosition(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid log position: partition and offset must be numbers", e);
        }
    }

    public Topic topic() {
        return Topic.named(topicName);
    }

    @Override
    public String toString() {
        return topicName + "/" + partition + "/" + offset;
    }
}
