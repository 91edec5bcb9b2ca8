/** The topics that transfer-service reads and writes. */
@NullMarked
package io.millrace.transfer.kafka;

import org.jspecify.annotations.NullMarked;
