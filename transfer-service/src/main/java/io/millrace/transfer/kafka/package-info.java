/** The log of transfer-service: what it reads from Kafka, and how what it decides gets there. */
@NullMarked
package io.millrace.transfer.kafka;

import org.jspecify.annotations.NullMarked;
