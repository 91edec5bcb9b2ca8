package io.millrace.agent.local;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;

/** Settings for {@code adapter=local}. */
@ConfigMapping(prefix = "millrace.agent.local")
public interface LocalConfig {

    /** Folder with one subfolder per job. If jobs run as their owners, owners need search permission on every parent. */
    @WithDefault("${millrace.agent.home}/local")
    Path stateDir();

    /** Number of virtual nodes. */
    @WithDefault("4")
    int nodes();

    /** Virtual cores per node; may exceed the cores of the machine. */
    @WithDefault("4")
    int coresPerNode();

    /**
     * {@code owner}: jobs run with the rights and login environment of their owner, and the agent must be root; {@code agent}: jobs run
     * with the rights of the agent, which must not be root, and the owner is only a label.
     */
    @WithDefault("agent")
    RunAs runAs();

    /** The account that jobs run as. */
    enum RunAs {
        OWNER,
        AGENT
    }
}
