/**
 * The classes of each job.
 *
 * <p>Decides the classes of local and global jobs, by the model of a file. Reads observed jobs, submissions and global jobs.
 * Publishes classifications with the compared values and those of each stage, and removes them when a job has left. Local jobs are
 * divided among the instances by cluster; one instance classifies the global jobs.
 */
@NullMarked
package io.millrace.classifier;

import org.jspecify.annotations.NullMarked;
