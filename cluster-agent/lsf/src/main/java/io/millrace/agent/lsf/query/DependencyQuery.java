package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.List;
import java.util.Optional;

/**
 * The dependency condition of a waiting job: {@code bjdepinfo -lp} of LSF, which tells whether it is satisfied, or {@code bjdep} of OpenLava,
 * which lists some of its terms.
 *
 * @param isLsf whether it is LSF and not OpenLava
 * @param condition the condition as submitted
 */
public record DependencyQuery(LsfSite site, boolean isLsf, String id, String condition)
        implements LsfQuery<Optional<Boolean>> {

    @Override
    public List<String> argv() {
        return isLsf ? List.of(site.program("bjdepinfo"), "-lp", id) : List.of(site.program("bjdep"), id);
    }

    /** Whether the condition is met; empty if the output does not tell. */
    @Override
    public Answer<Optional<Boolean>> read(final CommandResult result) {
        if (LsfErrors.isDown(result)) {
            return LsfErrors.of(isLsf ? "bjdepinfo" : "bjdep", result, Answer.Kind.UNREADABLE);
        }
        final String text = result.outputText();
        if (isLsf) {
            return Answer.ok(
                    text.contains("is not satisfied")
                            ? Optional.of(false)
                            : text.contains("is satisfied") ? Optional.of(true) : Optional.empty());
        }
        final List<String> terms = text.lines()
                .dropWhile(line -> !line.startsWith("DEPENDENCY"))
                .skip(1)
                .map(line -> line.substring(line.strip().lastIndexOf(' ') + 1).strip())
                .distinct()
                .toList();
        // OpenLava leaves out terms that do not matter any more, so only equal terms without a negation tell the
        // result.
        return Answer.ok(
                terms.size() == 1 && condition.indexOf('!') < 0
                        ? Optional.of(terms.getFirst().equals("true"))
                        : Optional.empty());
    }
}
