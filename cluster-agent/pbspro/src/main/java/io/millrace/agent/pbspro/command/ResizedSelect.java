package io.millrace.agent.pbspro.command;

import io.millrace.agent.wlm.Answer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code select} statement with another number of cores, if it is clear which one is meant. */
public final class ResizedSelect {

    /** One chunk with all cores and no division into processes. */
    private static final Pattern ONE_CHUNK =
            Pattern.compile("1:ncpus=\\d+(?<rest>(?::(?!mpiprocs=|ompthreads=)[^:+]++)*+)");
    /** Chunks of one core each, which the scheduler distributes, and nothing else in them. */
    private static final Pattern SINGLE_CORES = Pattern.compile("\\d+:ncpus=1(?<rest>(?::mpiprocs=1)?)");

    private ResizedSelect() {}

    /** @return {@code REJECTED} if the chunks have a specific layout */
    public static Answer<String> of(final String select, final int cores) {
        final Matcher single = SINGLE_CORES.matcher(select);
        if (single.matches()) {
            return Answer.ok(cores + ":ncpus=1" + single.group("rest"));
        }
        final Matcher one = ONE_CHUNK.matcher(select);
        return one.matches()
                ? Answer.ok("1:ncpus=" + cores + one.group("rest"))
                : Answer.trouble(
                        Answer.Kind.REJECTED,
                        "the job requests select=" + select
                                + ", whose cores cannot be changed to a total; stop it and submit it again");
    }
}
