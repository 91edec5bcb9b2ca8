/**
 * Jobs, hosts and queues as Millrace observes them: lists and finds jobs, maps states, groups pending array tasks, and keeps the notes and
 * the queue gate of the agent in its state directory.
 */
@NullMarked
package io.millrace.agent.lsf.observe;

import org.jspecify.annotations.NullMarked;
