package io.millrace.testing.broken.talkative.rest;

import org.apache.kafka.clients.producer.ProducerRecord;

class JobResource {
    ProducerRecord<String, String> answer() {
        return new ProducerRecord<>("topic", "value");
    }
}
