/** The state machine of a global job ({@link io.millrace.migration.domain.job.GlobalJobLifecycle}), and all jobs by state. */
@NullMarked
package io.millrace.migration.domain.job;

import org.jspecify.annotations.NullMarked;
