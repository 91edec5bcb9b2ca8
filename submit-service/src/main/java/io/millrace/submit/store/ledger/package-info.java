/**
 * Tables of the ledger: postings, balances and closed periods.
 */
@NullMarked
package io.millrace.submit.store.ledger;

import org.jspecify.annotations.NullMarked;
