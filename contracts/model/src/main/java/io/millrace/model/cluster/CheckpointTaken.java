package io.millrace.model.cluster;

import java.time.Instant;

/**
 * A saved state of a job.
 *
 * @param method {@code application} or {@code native}
 * @param location path of the saved state, or of the marker file
 * @param requestedAt when the checkpoint was requested
 * @param savedAt when the state was saved; later work is not covered
 */
public record CheckpointTaken(String method, String location, Instant requestedAt, Instant savedAt) {}
