/**
 * What services decide about jobs, and what they are asked to change.
 *
 * <p>quota-service writes entitlements and priority rules, classifier-service classifications, and each decider its own plans. Other
 * services request a change through {@code millrace.requests}. Each event contains its reason.
 */
@NullMarked
package io.millrace.model.policy;

import org.jspecify.annotations.NullMarked;
