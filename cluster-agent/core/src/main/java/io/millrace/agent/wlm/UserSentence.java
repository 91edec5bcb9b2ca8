package io.millrace.agent.wlm;

import io.millrace.model.command.Command;
import java.time.temporal.ChronoUnit;

/**
 * A sentence that users of a workload manager see beside their job, such as why Millrace requeued it: one short line without quotes, square and
 * angle brackets, which delimit it or, in Torque's unescaped XML, the whole attribute.
 */
public record UserSentence(String text) {

    private static final int LONGEST = 250;

    public UserSentence {
        final String plain = text.replaceAll("[\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}]+", " ")
                .replaceAll("[\\[<]", "(")
                .replaceAll("[]>]", ")")
                .replaceAll("[\"'`\\\\]", "")
                // No text may look like a mark of Millrace.
                .replaceAll("(?i)millrace:", "millrace ")
                .strip();
        text = plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST - 3) + "...";
    }

    /** @param did what was done with the job, such as {@code requeued} */
    public static UserSentence of(final Command command, final String did) {
        return new UserSentence("Millrace " + did + " this job at "
                + command.issuedAt().truncatedTo(ChronoUnit.SECONDS) + ": " + command.reason());
    }

    @Override
    public String toString() {
        return text;
    }
}
