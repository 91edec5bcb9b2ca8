/**
 * Copies through an object store, for clusters that cannot reach each other by ssh (ADR 37).
 *
 * <p>rclone runs as the agent, because its configuration has the credentials of the store. Files are read and written with the rights of
 * their owner, and only bytes pass between the two.
 */
@NullMarked
package io.millrace.agent.transfer.objectstore;

import org.jspecify.annotations.NullMarked;
