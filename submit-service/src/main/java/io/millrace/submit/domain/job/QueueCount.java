package io.millrace.submit.domain.job;

import io.millrace.model.ClusterId;

/** The jobs of a cluster in one state (see {@link JobStateNames#of}), and the cores they request or occupy. */
public record QueueCount(ClusterId cluster, String state, long jobs, long cores) {}
