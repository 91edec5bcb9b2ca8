/**
 * Job arrays: the tasks that one record stands for, and their indices as ranges.
 *
 * <p>Decides nothing.
 */
@NullMarked
package io.millrace.model.array;

import org.jspecify.annotations.NullMarked;
