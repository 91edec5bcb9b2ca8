/** The end of a process after a failure that it cannot survive. */
@NullMarked
package io.millrace.process;

import org.jspecify.annotations.NullMarked;
