package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bjobs -A}: the slot limits of arrays ({@code arr[1-100:2]%5}) by array id. Arrays without a limit are left out. */
public record ArrayLimitQuery(LsfSite site) implements LsfQuery<Map<String, Integer>> {

    /** Id, name with the index list, owner and eight task counts. The owner controls no text after the name. */
    private static final Pattern ROW = Pattern.compile("\\s*(\\d+)\\s.*\\]%(\\d{1,9})\\s+\\S+(?:\\s+\\d+){8}\\s*");

    @Override
    public List<String> argv() {
        return List.of(site.program("bjobs"), "-A", "-w", "-u", "all", "-a");
    }

    @Override
    public Answer<Map<String, Integer>> read(final CommandResult result) {
        if (!result.succeeded() && !JobQuery.isEmpty(result)) {
            return LsfErrors.of("bjobs -A", result, Answer.Kind.UNREADABLE);
        }
        final Map<String, Integer> limits = new HashMap<>();
        result.outputText().lines().forEach(line -> {
            final Matcher row = ROW.matcher(line);
            if (row.matches() && !row.group(2).equals("0")) {
                limits.put(row.group(1), Integer.valueOf(row.group(2)));
            }
        });
        return Answer.ok(limits);
    }
}
