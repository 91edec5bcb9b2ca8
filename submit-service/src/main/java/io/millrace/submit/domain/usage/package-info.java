/**
 * Usage records and ledger statements: queries, sums, and the export formats CSV and SWF. Pure.
 */
@NullMarked
package io.millrace.submit.domain.usage;

import org.jspecify.annotations.NullMarked;
