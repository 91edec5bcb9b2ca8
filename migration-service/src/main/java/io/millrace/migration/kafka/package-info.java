/** The log of migration-service: what it reads from Kafka, and how what it decides gets there. */
@NullMarked
package io.millrace.migration.kafka;

import org.jspecify.annotations.NullMarked;
