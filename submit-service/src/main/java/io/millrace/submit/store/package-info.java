/**
 * The read model in MariaDB: rows projected from the log, and how they are found again.
 *
 * <p>Decides nothing. Written by the projection alone, in one transaction with the offsets it has read; read by the use cases. Opens no
 * transaction of its own. Bodies are the events' JSON as on the log, columns are what is searched.
 */
@NullMarked
package io.millrace.submit.store;

import org.jspecify.annotations.NullMarked;
