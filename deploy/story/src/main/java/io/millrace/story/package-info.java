/**
 * The story of the demo: two people, three clusters, one queue.
 *
 * <p>Acts only as users do: through the command line tools, the REST API and the workload managers' own commands. Decides nothing
 * but whether what happened is what was promised. The launcher's {@code demo} and the end-to-end test tell the same story.
 */
@NullMarked
package io.millrace.story;

import org.jspecify.annotations.NullMarked;
