/**
 * Translates parsed options for a workload manager. Each workload manager has an option writer; what it cannot express is reported with
 * line and reason.
 */
@NullMarked
package io.millrace.script.translation;

import org.jspecify.annotations.NullMarked;
