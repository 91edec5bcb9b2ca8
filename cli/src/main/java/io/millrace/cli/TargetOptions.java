package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.text.MemorySize;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose the cluster of a job. */
final class TargetOptions {

    @Option(
            names = {"--target", "--cluster"},
            paramLabel = "CLUSTER",
            description = "run only on this cluster")
    @Nullable
    String target;

    @Option(
            names = {"-M", "--clusters"},
            paramLabel = "CLUSTER",
            split = ",",
            description =
                    "run only on one of these clusters: the first that can start the job (default: from the script, otherwise all)")
    @Nullable
    List<String> clusters;

    @Option(
            names = "--target-rule",
            paramLabel = "RULE",
            description =
                    "which possible cluster gets the job: performance-order, earliest-end, least-core-hours or data-locality (default: the rule of the site)")
    @Nullable
    String targetRule;

    @Option(
            names = "--disk",
            paramLabel = "SIZE",
            description =
                    "free space that the files and results of the job need on another cluster, in MiB, or with a unit (K, M, G, T)")
    @Nullable
    String disk;

    void putInto(final ObjectNode job) throws CommandException {
        if (target != null) {
            job.put("target", target);
        }
        if (clusters != null) {
            clusters.forEach(job.putArray("clusters")::add);
        }
        if (targetRule != null) {
            job.put("targetRule", targetRule);
        }
        if (disk != null) {
            job.put("diskMib", MemorySize.mib("--disk", disk));
        }
    }
}
