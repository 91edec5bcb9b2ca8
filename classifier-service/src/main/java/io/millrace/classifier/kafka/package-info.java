/** The topics that classifier-service reads and writes. */
@NullMarked
package io.millrace.classifier.kafka;

import org.jspecify.annotations.NullMarked;
