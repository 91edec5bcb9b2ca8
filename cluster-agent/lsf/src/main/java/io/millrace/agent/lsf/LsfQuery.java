package io.millrace.agent.lsf;

import io.millrace.agent.wlm.CommandLine;
import java.time.Duration;
import java.util.Map;

/** A command that changes nothing. Without a time-out of ours it would wait for a silent LIM for ever. */
interface LsfQuery<T> extends CommandLine<T> {

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
