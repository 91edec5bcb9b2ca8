package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbspro.query.PbsQueries;
import io.millrace.agent.pbspro.query.PbsQuery;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.Qmgr;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.model.UserName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The soft limits of users, {@code max_run_res_soft.ncpus}. PBS's scheduler can preempt jobs beyond their owner's limit for users
 * below theirs (paper 1, section 1.2.4). {@code =} would replace the limits of all users, so one limit is removed by its exact old
 * value, added with the new one, and read back.
 */
public final class SoftLimits implements Limiting {

    private static final String ATTRIBUTE = "max_run_res_soft.ncpus";
    private static final Pattern OF_A_USER = Pattern.compile("\\[u:\"?([^=\\[\\]\"]+)\"?=(\\d{1,9})]");
    private static final Set<String> RESERVED_NAMES = Set.of("PBS_GENERIC", "PBS_ALL");
    private static final Pattern VALID_NAME = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{0,127}");

    private final PbsSite site;
    private final Runner runner;
    private final PbsQueries queries;

    public SoftLimits(final PbsSite site, final Runner runner, final PbsQueries queries) {
        this.site = site;
        this.runner = runner;
        this.queries = queries;
    }

    @Override
    public Answer<Map<UserName, Integer>> limits() {
        return queries.all(PbsQuery.Kind.SERVER).map(listing -> {
            final Map<UserName, Integer> limits = new LinkedHashMap<>();
            for (final PbsObject server : listing.objects()) {
                for (final String value : server.all(ATTRIBUTE)) {
                    final Matcher entry = OF_A_USER.matcher(value);
                    while (entry.find()) {
                        if (!RESERVED_NAMES.contains(entry.group(1))) {
                            limits.put(UserName.of(entry.group(1)), Integer.valueOf(entry.group(2)));
                        }
                    }
                }
            }
            return limits;
        });
    }

    @Override
    public Answer<Accepted> setLimit(final UserName user, final @Nullable Integer cores) {
        if (!VALID_NAME.matcher(user.value()).matches() || RESERVED_NAMES.contains(user.value())) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "'" + user
                            + "' cannot be used in a limit of PBS; use letters, digits, dots, dashes and underscores");
        }
        if (cores != null && cores < 0) {
            return Answer.trouble(Answer.Kind.REJECTED, "limit of '" + user + "' must not be negative: " + cores);
        }
        return limits().then(limits -> {
            final Integer old = limits.get(user);
            if (Objects.equals(old, cores)) {
                return Answer.ok(new Accepted("limit unchanged"));
            }
            final Answer<Accepted> out =
                    old == null ? Answer.ok(new Accepted("no previous limit")) : set("-=", user, old);
            return out.then(taken -> put(user, cores, old)).then(done -> readBack(user, cores));
        });
    }

    private Answer<Accepted> put(final UserName user, final @Nullable Integer cores, final @Nullable Integer old) {
        if (cores == null) {
            return Answer.ok(new Accepted("none"));
        }
        final Answer<Accepted> put = set("+=", user, cores);
        if (put instanceof Answer.Trouble<Accepted> && old != null) {
            set("+=", user, old);
        }
        return put;
    }

    private Answer<Accepted> set(final String operator, final UserName user, final int cores) {
        return runner.run(
                new Qmgr.Set(site, "set server " + ATTRIBUTE + " " + operator + " [u:" + user + "=" + cores + "]"));
    }

    private Answer<Accepted> readBack(final UserName user, final @Nullable Integer cores) {
        return limits().then(limits -> {
            final Integer now = limits.get(user);
            return Objects.equals(now, cores)
                    ? Answer.ok(new Accepted(ATTRIBUTE + " of '" + user + "' is " + (cores == null ? "none" : cores)))
                    : Answer.trouble(
                            Answer.Kind.REJECTED,
                            ATTRIBUTE + " of '" + user + "' should be " + cores + ", but is " + now
                                    + "; it was changed concurrently, retry");
        });
    }
}
