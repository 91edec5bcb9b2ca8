/**
 * Job arrays: the tasks that one record represents, and their indices as ranges.
 *
 * <p>Decides nothing.
 */
@NullMarked
package io.millrace.model.array;

import org.jspecify.annotations.NullMarked;
