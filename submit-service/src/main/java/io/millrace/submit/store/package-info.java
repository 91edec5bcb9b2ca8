/**
 * The read model in MariaDB: tables and queries.
 *
 * <p>Decides nothing. The projection writes it in one transaction with its offsets; the use cases read it. Callers open the
 * transactions. Bodies contain the JSON of events; columns contain the values that queries use.
 */
@NullMarked
package io.millrace.submit.store;

import org.jspecify.annotations.NullMarked;
