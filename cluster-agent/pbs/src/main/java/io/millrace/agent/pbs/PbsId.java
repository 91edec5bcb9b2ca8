package io.millrace.agent.pbs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A job id of PBS: {@code 123.server}, {@code 123[].server.site.org} for an array, {@code 123[7].server} for one of its subjobs; the
 * server may be left out when asking. Ids of reservations ({@code R54.server}) are not ids of jobs.
 *
 * @param number counts up per server and starts anew at its end
 * @param brackets null: a job of its own; empty: an array; else the index (or range) of a subjob
 * @param server short or full name of the server; null if it was not said
 */
public record PbsId(
        long number, @Nullable String brackets, @Nullable String server) {

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,18})(?:\\[([0-9,:%-]*)])?(?:\\.([A-Za-z0-9_][A-Za-z0-9_.:-]*))?");

    /** Empty for what cannot be a job id of PBS. */
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

    /** The id of the array that this subjob belongs to; the id itself for anything else. */
    public PbsId array() {
        return isSubjob() ? new PbsId(number, "", server) : this;
    }

    /** The subjob of this array with this index. */
    public PbsId subjob(final String index) {
        return new PbsId(number, index, server);
    }

    /** The same id without the server's name, as all commands take it too. */
    public String unqualified() {
        return brackets == null ? Long.toString(number) : number + "[" + brackets + "]";
    }

    /** Whether both name the same job, when one of them leaves out the server or its domain. */
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
