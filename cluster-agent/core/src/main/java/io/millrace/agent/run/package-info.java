/**
 * Make steps: programs of a user that the agent runs as that user, and the directories they run in.
 */
@NullMarked
package io.millrace.agent.run;

import org.jspecify.annotations.NullMarked;
