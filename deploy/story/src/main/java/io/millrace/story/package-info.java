/**
 * The demonstration and the proofs that run on a whole stack: two users, three clusters, one queue.
 *
 * <p>Acts as users do: through the command line tools, the REST API and the workload managers' commands. Its only decision is
 * whether each promise was kept. The launcher's {@code demo} and the end-to-end test run the same scenario.
 */
@NullMarked
package io.millrace.story;

import org.jspecify.annotations.NullMarked;
