package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;

/** {@code lsid}: {@code OpenLava 4.0.0, Nov 20 2026}, {@code IBM Spectrum LSF Standard 10.1.0.12, Jan 17 2023}. */
public record VersionQuery(LsfSite site) implements LsfQuery<LsfVersion> {

    @Override
    public List<String> argv() {
        return List.of(site.program("lsid"));
    }

    /** lsid tries to reach LIM for six seconds. */
    @Override
    public Duration limit() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Answer<LsfVersion> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(LsfVersion.read(result.outputText() + " " + result.errorText()))
                : LsfErrors.of("lsid", result, Answer.Kind.DOWN);
    }
}
