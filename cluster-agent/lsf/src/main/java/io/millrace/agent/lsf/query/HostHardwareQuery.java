package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code lshosts -w}: processors, memory and named resources of every server host. */
public record HostHardwareQuery(LsfSite site) implements LsfQuery<Map<String, HostHardware>> {

    // HOST_NAME type model cpuf ncpus maxmem maxswp server RESOURCES
    private static final Pattern LINE = Pattern.compile(
            "(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+(Yes|Dyn)\\s*+(?:\\((.*)\\)\\s*)?");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)([KMGT])");

    @Override
    public List<String> argv() {
        return List.of(site.program("lshosts"), "-w");
    }

    @Override
    public Answer<Map<String, HostHardware>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return LsfErrors.of("lshosts", result, Answer.Kind.UNREADABLE);
        }
        final Map<String, HostHardware> machines = new LinkedHashMap<>();
        result.outputText().lines().skip(1).forEach(line -> {
            final Matcher found = LINE.matcher(line);
            if (found.matches()) {
                machines.put(found.group(1), machine(found));
            }
        });
        return Answer.ok(machines);
    }

    private static HostHardware machine(final Matcher line) {
        final TreeSet<String> features = new TreeSet<>(List.of(line.group(2), line.group(3)));
        if (line.group(9) != null && !line.group(9).isBlank()) {
            features.addAll(List.of(line.group(9).strip().split("\\s+")));
        }
        features.remove("-");
        features.remove("UNKNOWN");
        final Matcher size = SIZE.matcher(line.group(6));
        return new HostHardware(
                line.group(1),
                line.group(5).matches("\\d{1,9}") ? Integer.parseInt(line.group(5)) : 0,
                size.matches() ? JobRequest.mib(size.group(1), size.group(2)) : 0,
                List.copyOf(features));
    }
}
