package io.millrace.testing.broken.producing.kafka;

import org.apache.kafka.clients.producer.Producer;

class Decisions {
    void commit(Producer<String, String> producer) {
        producer.beginTransaction();
    }
}
