/**
 * Benchmarks of the planners: one planning pass of each service, measured with JMH.
 *
 * <p>Each benchmark's name and parameters state its size. The workloads are seeded, so two runs measure the same work.
 */
@NullMarked
package io.millrace.lab.planners.bench;

import org.jspecify.annotations.NullMarked;
