/**
 * Queries of a Torque server and the observation built from them.
 *
 * <p>Reads jobs, queues and the server by {@code qstat}, and nodes by {@code pbsnodes}, in XML if the version supports it, otherwise in
 * plain text. Each command is one class with a pure {@code argv()} and a pure {@code read(result)}. Determines job states and which holds
 * are Millrace's. Publishes observations; changes nothing.
 */
@NullMarked
package io.millrace.agent.torque.query;

import org.jspecify.annotations.NullMarked;
