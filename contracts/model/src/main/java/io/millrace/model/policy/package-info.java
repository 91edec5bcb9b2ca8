/**
 * What services decide about jobs, and what they are asked to change.
 *
 * <p>Entitlements, quotas and usage are written by quota-service, classifications by classifier-service, plans by each decider
 * for itself; everybody else asks through {@code millrace.requests}. Each carries its reason.
 */
@NullMarked
package io.millrace.model.policy;

import org.jspecify.annotations.NullMarked;
