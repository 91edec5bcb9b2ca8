package io.millrace.submit.domain.job;

import io.millrace.model.ClusterId;

/** How many jobs of a cluster are in a state (the word of {@link JobStateNames#of}), and the cores they ask for or occupy. */
public record QueueCount(ClusterId cluster, String state, long jobs, long cores) {}
