/**
 * What a plan is computed from, and how its commands are written.
 */
@NullMarked
package io.millrace.quota.domain.view;

import org.jspecify.annotations.NullMarked;
