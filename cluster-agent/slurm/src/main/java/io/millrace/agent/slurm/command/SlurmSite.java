package io.millrace.agent.slurm.command;

import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.util.Map;

/**
 * The paths of one Slurm cluster.
 *
 * @param conf the cluster's {@code slurm.conf}; Millrace's files are in the same directory
 */
public record SlurmSite(ClusterId cluster, Path conf) {

    /**
     * Contains {@code directed} or {@code native}; {@code job_submit.lua} reads it at each submission. If the agent cannot write to the
     * directory of slurm.conf, this path is a symbolic link to a file that it can write.
     */
    public Path controlFile() {
        return conf.resolveSibling("millrace.control");
    }

    /** One line per ended run, written by {@code jobcomp.lua}. */
    public Path completionLog() {
        return conf.resolveSibling("millrace.ends");
    }

    /** The completion log that logrotate rotated last. */
    public Path rotatedCompletionLog() {
        return conf.resolveSibling("millrace.ends.1");
    }

    /** For queries: times as seconds since 1970 in any time zone, and complete lists of array tasks. */
    public Map<String, String> queryEnvironment() {
        return Map.of(
                "SLURM_CONF",
                conf.toString(),
                "SLURM_TIME_FORMAT",
                "%s",
                "TZ",
                "UTC",
                // No truncation of array task lists: commands name the tasks individually.
                "SLURM_BITSTR_LEN",
                "0");
    }

    /** For changes: only the cluster's configuration, because sbatch passes its environment on to the job. */
    public Map<String, String> changeEnvironment() {
        return Map.of("SLURM_CONF", conf.toString());
    }
}
