/**
 * {@code mgprio}: shows, previews and changes the weights of the priorities and the overflow rules.
 */
@NullMarked
package io.millrace.cli.priority;

import org.jspecify.annotations.NullMarked;
