/** The topics that migration-service reads and writes. */
@NullMarked
package io.millrace.migration.kafka;

import org.jspecify.annotations.NullMarked;
