package io.millrace.agent.slurm;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;

/** Settings for {@code adapter=slurm}. */
@ConfigMapping(prefix = "millrace.agent.slurm")
public interface SlurmConfig {

    /** The cluster's {@code slurm.conf}; {@code millrace.control} and {@code millrace.ends} are in the same folder. */
    @WithDefault("/etc/slurm/slurm.conf")
    Path confFile();
}
