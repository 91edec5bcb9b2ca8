package io.millrace.agent.torque.query;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Millrace's mark in a job's comment, which only operators and managers can write: which hold is Millrace's, and its purpose. Local
 * schedulers also write comments, but not on held jobs. A mark without its hold has no effect.
 *
 * @param purpose {@code submission}, {@code entry}, or {@code free} for a job that Millrace released
 * @param holdType type of Millrace's hold: {@code s}, or {@code o} if the agent may not set system holds or the server itself
 *     uses them (it clears system holds of jobs with dependencies)
 * @param restarts number of requeues so far, for versions that do not count them
 */
public record HoldMark(String purpose, char holdType, int restarts) {

    public static final String SUBMISSION = "submission";
    public static final String ENTRY = "entry";
    public static final String FREE = "free";

    private static final Pattern FORM =
            Pattern.compile("(?:^|\\s)millrace:(submission|entry|free)/([so])@(\\d{1,6})(?=\\s|$)");

    static Optional<HoldMark> parse(final String comment) {
        final Matcher found = FORM.matcher(comment);
        return found.find()
                ? Optional.of(new HoldMark(found.group(1), found.group(2).charAt(0), Integer.parseInt(found.group(3))))
                : Optional.empty();
    }

    public HoldMark withPurpose(final String next) {
        return new HoldMark(next, holdType, restarts);
    }

    /** Contains no blanks, commas or equals signs, as {@code qalter -W comment=} requires. */
    @Override
    public String toString() {
        return "millrace:" + purpose + "/" + holdType + "@" + restarts;
    }
}
