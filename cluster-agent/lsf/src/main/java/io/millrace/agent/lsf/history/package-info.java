/**
 * Ended runs and jobs: from {@code bhist}, from {@code lsb.acct} for jobs that mbatchd has purged, and from the file of jobs that continue
 * under another id after a checkpoint.
 */
@NullMarked
package io.millrace.agent.lsf.history;

import org.jspecify.annotations.NullMarked;
