package io.millrace.model.cluster;

import java.time.Instant;

/**
 * A saved state of a job.
 *
 * @param method {@code application}, {@code native}, {@code criu}
 * @param location path of what was saved, or of the marker that says so
 * @param requestedAt when the job was told to save itself
 * @param savedAt from when on work is not covered by it
 */
public record CheckpointTaken(String method, String location, Instant requestedAt, Instant savedAt) {}
