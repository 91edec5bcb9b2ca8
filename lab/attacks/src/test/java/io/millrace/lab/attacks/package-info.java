/**
 * Attacks on packaged services: what must not succeed, as lists of cases that a running submit-service and a running agent withstand.
 *
 * <p>The lists are text files in {@code src/test/resources/attacks}, one case per line, or tables in the class that uses them. A test run
 * takes a seeded sample of the long ones ({@link io.millrace.testing.Sample}); {@code ./millrace prove attacks} takes all.
 */
package io.millrace.lab.attacks;
