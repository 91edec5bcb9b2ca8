/** Classification of jobs in files, without a running stack. */
@NullMarked
package io.millrace.simulator.classify;

import org.jspecify.annotations.NullMarked;
