/**
 * The model of classification: characteristics with their domains, ranks and weights, classes, and the stages of reduction.
 *
 * <p>The terms are those of Bychkov, Oparin, Feoktistov and Korsukov, "Distribution of jobs in the integrated cluster system on the basis
 * of their classification" (2013), section 1. Everything here is immutable.
 */
@NullMarked
package io.millrace.classifier.domain.model;

import org.jspecify.annotations.NullMarked;
