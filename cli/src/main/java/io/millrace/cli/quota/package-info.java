/**
 * {@code mgquota} and {@code mgusage}: quotas, the statement of a budget, and what users have consumed.
 */
@NullMarked
package io.millrace.cli.quota;

import org.jspecify.annotations.NullMarked;
