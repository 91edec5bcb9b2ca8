/**
 * Classification of a job by a model: primary classification, then reduction by the stages rho, sigma, omega and psi (Bychkov et al. 2013,
 * sections 1 and 2; {@code docs/adr/0021-optional-characteristics.md}). Pure: no I/O, no clock.
 */
@NullMarked
package io.millrace.classifier.domain.plan;

import org.jspecify.annotations.NullMarked;
