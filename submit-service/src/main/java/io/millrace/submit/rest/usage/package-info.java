/**
 * Routes for usage records and ledger statements, as JSON, CSV and SWF.
 */
@NullMarked
package io.millrace.submit.rest.usage;

import org.jspecify.annotations.NullMarked;
