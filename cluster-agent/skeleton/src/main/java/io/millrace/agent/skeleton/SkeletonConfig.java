package io.millrace.agent.skeleton;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** Settings for {@code adapter=skeleton}. */
@ConfigMapping(prefix = "millrace.agent.skeleton")
public interface SkeletonConfig {

    /** Folder of {@code skstat} and the other programs; unset: the usual search path. */
    Optional<Path> binDir();
}
