/**
 * The agent's side of Kafka: replay of its own partition, commands and plans as they come in, transactions under
 * {@code transactional.id = agent-<cluster>}, so that of two agents for one cluster only the newer one can commit anything.
 */
@NullMarked
package io.millrace.agent.kafka;

import org.jspecify.annotations.NullMarked;
