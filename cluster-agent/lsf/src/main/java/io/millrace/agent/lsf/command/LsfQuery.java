package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.CommandLine;
import java.time.Duration;
import java.util.Map;

/** A command that changes nothing. It has a timeout, because LSF commands wait forever for a LIM that does not respond. */
public interface LsfQuery<T> extends CommandLine<T> {

    LsfSite site();

    @Override
    default Map<String, String> environment() {
        return site().queryEnvironment();
    }

    @Override
    default Duration limit() {
        return Duration.ofSeconds(30);
    }
}
