/**
 * The Quarkus application of the agent: settings, start and stop, health checks, choice of the adapter.
 */
@NullMarked
package io.millrace.agent.service;

import org.jspecify.annotations.NullMarked;
