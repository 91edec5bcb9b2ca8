/** How the agent of a new cluster joins: it presents its invitation to submit-service, and writes what it gets. */
@NullMarked
package io.millrace.agent.join;

import org.jspecify.annotations.NullMarked;
