/**
 * The projection of the log in MariaDB: applied in one transaction with the offsets, purged, and rebuilt.
 *
 * <p>Decides: how long history is kept, and until when a query waits for a position of the log. Reads: every topic.
 */
@NullMarked
package io.millrace.submit.projection;

import org.jspecify.annotations.NullMarked;
