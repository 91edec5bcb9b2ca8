/**
 * The pure core of classification.
 *
 * <p>{@code extraction} finds the characteristics of a job, {@code classification} decides its classes by a {@code model}, and the classes
 * here record the evidence and what changes on the log. No I/O, no clock.
 */
@NullMarked
package io.millrace.classifier.domain;

import org.jspecify.annotations.NullMarked;
