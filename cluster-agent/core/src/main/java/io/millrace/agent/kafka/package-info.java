/**
 * Kafka for the agent: replay of its state, commands and plans, transactions under
 * {@code transactional.id = agent-<cluster>}, so that of two agents for one cluster only the newer one can commit anything.
 *
 * <p>{@link io.millrace.agent.kafka.FolderLog} takes the place of the broker in an acceptance test.
 */
@NullMarked
package io.millrace.agent.kafka;

import org.jspecify.annotations.NullMarked;
