package io.millrace.agent.pbs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A job id of PBS: {@code 123.server} for a job, {@code 123[].server.site.org} for an array, {@code 123[7].server} for a subjob.
 * Commands also accept ids without the server. Ids of reservations ({@code R54.server}) are not job ids.
 *
 * @param number assigned by the server in ascending order; restarts at a maximum
 * @param brackets null for a job, empty for an array, otherwise the index or range of a subjob
 * @param server short or full name of the server; null if missing
 */
public record PbsId(
        long number, @Nullable String brackets, @Nullable String server) {

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,18})(?:\\[([0-9,:%-]*)])?(?:\\.([A-Za-z0-9_][A-Za-z0-9_.:-]*))?");
    private static final Pattern TOKEN =
            Pattern.compile("[^\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}-][^\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}]{0,254}");

    /** Whether the text can be the id of a job or a reservation: no blanks, at most 255 characters. */
    public static boolean isToken(final String text) {
        return TOKEN.matcher(text).matches();
    }

    /** Parses an id; empty if the text is not a job id of PBS. */
    public static Optional<PbsId> in(final String text) {
        final Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new PbsId(Long.parseLong(form.group(1)), form.group(2), form.group(3)))
                : Optional.empty();
    }

    public boolean isArray() {
        return "".equals(brackets);
    }

    public boolean isSubjob() {
        return brackets != null && !brackets.isEmpty();
    }

    /** The array of this subjob; this id if it is not a subjob. */
    public PbsId array() {
        return isSubjob() ? new PbsId(number, "", server) : this;
    }

    /** The id without the server's name. All commands accept this form. */
    public String unqualified() {
        return brackets == null ? Long.toString(number) : number + "[" + brackets + "]";
    }

    /** Whether both ids mean the same job. Either one can lack the server or the server's domain. */
    public boolean isSameJob(final PbsId other) {
        return unqualified().equals(other.unqualified())
                && (server == null || other.server == null || sameHost(server, other.server));
    }

    private static boolean sameHost(final String one, final String other) {
        return one.equals(other) || one.startsWith(other + ".") || other.startsWith(one + ".");
    }

    @Override
    public String toString() {
        return server == null ? unqualified() : unqualified() + "." + server;
    }
}
