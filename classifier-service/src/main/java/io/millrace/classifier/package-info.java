/**
 * What kind of job each job is.
 *
 * <p>Decides: the classes of local and global jobs, by primary classification against the classes of a file. Reads: observed jobs,
 * submissions, global jobs. Announces: classifications with the figures compared; takes them off when a job has left. The local jobs are
 * divided among the instances by cluster; the global ones are one instance's.
 */
@NullMarked
package io.millrace.classifier;

import org.jspecify.annotations.NullMarked;
