/** The next step of a placed job: a fact to apply, a command to its cluster, a transfer to request, or an event to wait for. */
@NullMarked
package io.millrace.migration.domain.attempt;

import org.jspecify.annotations.NullMarked;
