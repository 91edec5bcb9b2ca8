/** The log of classifier-service: what it reads from Kafka, and how what it decides gets there. */
@NullMarked
package io.millrace.classifier.kafka;

import org.jspecify.annotations.NullMarked;
