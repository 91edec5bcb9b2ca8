/**
 * The quotas that apply: each user's, project's and group's guaranteed cores and GPUs, and limits of processor time.
 *
 * <p>Merges the site's file, answers requests for a change, and keeps the tree of groups (rules ).
 */
@NullMarked
package io.millrace.quota.domain.quota;

import org.jspecify.annotations.NullMarked;
