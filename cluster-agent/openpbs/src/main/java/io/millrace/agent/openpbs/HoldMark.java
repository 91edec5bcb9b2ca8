package io.millrace.agent.openpbs;

import io.millrace.model.cluster.HoldKind;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Millrace's word in a job's comment, which only operators and managers can write: which hold of the job is Millrace's own, and what
 * for. Local schedulers write comments too, but not on held jobs; a mark without its hold means nothing.
 *
 * @param purpose {@code submission}, {@code entry}, or {@code free} for a job that Millrace let go
 * @param holdType kind of the hold that carries it: {@code s}, or {@code o} where the agent may not set that or the server itself uses
 *     it (it clears system holds of jobs that depended on others)
 * @param restarts how often the job had been put back by then, for versions that do not count
 */
record HoldMark(String purpose, char holdType, int restarts) {

    static final String SUBMISSION = "submission";
    static final String ENTRY = "entry";
    static final String FREE = "free";

    private static final Pattern FORM =
            Pattern.compile("(?:^|\\s)millrace:(submission|entry|free)/([so])@(\\d{1,6})(?=\\s|$)");

    static Optional<HoldMark> parse(final String comment) {
        final Matcher found = FORM.matcher(comment);
        return found.find()
                ? Optional.of(new HoldMark(found.group(1), found.group(2).charAt(0), Integer.parseInt(found.group(3))))
                : Optional.empty();
    }

    static String wordOf(final HoldKind kind) {
        return kind == HoldKind.SUBMISSION ? SUBMISSION : ENTRY;
    }

    HoldMark withPurpose(final String next) {
        return new HoldMark(next, holdType, restarts);
    }

    /** Without blanks, commas and equals signs, as {@code qalter -W comment=} wants it. */
    @Override
    public String toString() {
        return "millrace:" + purpose + "/" + holdType + "@" + restarts;
    }
}
