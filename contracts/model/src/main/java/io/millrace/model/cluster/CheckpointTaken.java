package io.millrace.model.cluster;

import java.time.Instant;

/**
 * A saved state of a job.
 *
 * @param method {@code application}, {@code native}, {@code criu}
 * @param where path of what was saved, or of the marker that says so
 * @param asked when the job was told to save itself
 * @param saved from when on work is not covered by it
 */
public record CheckpointTaken(String method, String where, Instant asked, Instant saved) {}
