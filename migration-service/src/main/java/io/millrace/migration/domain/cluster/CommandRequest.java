package io.millrace.migration.domain.cluster;

import io.millrace.model.command.Action;
import io.millrace.model.command.Precondition;
import java.time.Instant;
import java.util.List;

/**
 * A command to issue to a cluster.
 *
 * @param anchor a fixed instant before the first command for this subject; see {@link TargetCluster#issue}
 */
public record CommandRequest(Action action, Instant anchor, List<Precondition> preconditions, String reason) {}
