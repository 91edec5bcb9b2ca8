package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code bmgroup -r}: the hosts of each host group. In the host list of a queue a group name ends with a slash. */
public record HostGroupQuery(LsfSite site) implements LsfQuery<Map<String, Set<String>>> {

    @Override
    public List<String> argv() {
        return List.of(site.program("bmgroup"), "-r");
    }

    @Override
    public Answer<Map<String, Set<String>>> read(final CommandResult result) {
        final Map<String, Set<String>> groups = new HashMap<>();
        if (!result.succeeded()) {
            return LsfErrors.isDown(result)
                    ? LsfErrors.of("bmgroup", result, Answer.Kind.UNREADABLE)
                    : Answer.ok(groups);
        }
        result.outputText().lines().skip(1).map(String::strip).forEach(line -> {
            final String[] words = line.split("\\s+");
            if (words.length > 1) {
                groups.put(
                        words[0].replaceAll("/$", ""),
                        Set.of(List.of(words).subList(1, words.length).stream()
                                .distinct()
                                .toArray(String[]::new)));
            }
        });
        return Answer.ok(groups);
    }
}
