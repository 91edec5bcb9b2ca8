/**
 * Tables of global jobs, local jobs, job changes, commands and ended runs.
 */
@NullMarked
package io.millrace.submit.store.job;

import org.jspecify.annotations.NullMarked;
