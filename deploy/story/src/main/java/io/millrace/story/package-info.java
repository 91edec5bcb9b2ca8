/**
 * The demonstration on a running stack: two users, three clusters, one queue.
 *
 * <p>Acts as users do: through the command line tools, the REST API and the workload managers' commands. The launcher's {@code demo} and
 * the end-to-end test run the same scenario; the campaigns in {@code lab} use the same means.
 */
@NullMarked
package io.millrace.story;

import org.jspecify.annotations.NullMarked;
