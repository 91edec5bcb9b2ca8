package io.millrace.agent.slurm;

import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.util.Map;

/**
 * One Slurm cluster and its files.
 *
 * @param conf the cluster's {@code slurm.conf}; Millrace's files lie beside it
 */
public record SlurmSite(ClusterId cluster, Path conf) {

    /**
     * Says who starts jobs: {@code directed} or {@code native}; read by the gate at each submission. Where the agent may not write beside
     * slurm.conf, a symbolic link there leads to it.
     */
    public Path controlFile() {
        return conf.resolveSibling("millrace.control");
    }

    /** One line for each ended run, written by {@code jobcomp.lua}. */
    public Path completionLog() {
        return conf.resolveSibling("millrace.ends");
    }

    /** The file that logrotate made of {@link #completionLog} before. */
    public Path rotatedCompletionLog() {
        return conf.resolveSibling("millrace.ends.1");
    }

    /** For queries: times come as seconds since 1970, whatever the site's time zone; lists of array tasks in full. */
    Map<String, String> queryEnvironment() {
        return Map.of(
                "SLURM_CONF",
                conf.toString(),
                "SLURM_TIME_FORMAT",
                "%s",
                "TZ",
                "UTC",
                // The tasks of an array that wait together are named in full: orders name them so.
                "SLURM_BITSTR_LEN",
                "0");
    }

    /** For orders: nothing that a job would inherit but where its cluster is. */
    Map<String, String> changeEnvironment() {
        return Map.of("SLURM_CONF", conf.toString());
    }
}
