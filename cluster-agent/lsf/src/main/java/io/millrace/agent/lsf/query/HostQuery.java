package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bhosts -w}: all hosts with their slots. */
public record HostQuery(LsfSite site) implements LsfQuery<List<LsfHost>> {

    private static final Pattern ROW =
            Pattern.compile("(\\S+)\\s+(\\S+)\\s+\\S+\\s+(-|\\d{1,9})\\s+(-|\\d{1,9})(?:\\s+\\S+){4}(?:\\s.*)?");

    private static LsfHost host(final Matcher row) {
        return new LsfHost(
                row.group(1),
                row.group(2),
                row.group(3).equals("-") ? null : Integer.valueOf(row.group(3)),
                row.group(4).equals("-") ? 0 : Integer.parseInt(row.group(4)));
    }

    @Override
    public List<String> argv() {
        return List.of(site.program("bhosts"), "-w");
    }

    @Override
    public Answer<List<LsfHost>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return LsfErrors.of("bhosts", result, Answer.Kind.UNREADABLE);
        }
        final List<LsfHost> hosts = new ArrayList<>();
        // A site's wrapper can print a banner before the table: HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV
        final List<String> rows = result.outputText()
                .lines()
                .map(String::strip)
                .dropWhile(line -> !line.startsWith("HOST_NAME"))
                .skip(1)
                .filter(line -> !line.isEmpty())
                .toList();
        for (final String line : rows) {
            final Matcher row = ROW.matcher(line);
            if (!row.matches()) {
                return Answer.trouble(Answer.Kind.UNREADABLE, "cannot read line '" + line + "' of bhosts");
            }
            hosts.add(host(row));
        }
        return hosts.isEmpty()
                ? LsfErrors.of("bhosts", result, Answer.Kind.UNREADABLE) // error reported as a normal answer
                : Answer.ok(List.copyOf(hosts));
    }
}
