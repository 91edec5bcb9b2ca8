package io.millrace.agent.slurm.command;

import io.millrace.agent.exec.CommandLine;
import java.time.Duration;
import java.util.Map;

/** A command that reads the state of a cluster. */
public interface QueryCommand<T> extends CommandLine<T> {

    SlurmSite site();

    @Override
    default Map<String, String> environment() {
        return site().queryEnvironment();
    }

    @Override
    default Duration limit() {
        return Duration.ofSeconds(30);
    }
}
