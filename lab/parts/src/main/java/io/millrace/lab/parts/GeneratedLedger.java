package io.millrace.lab.parts;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Kind;
import io.millrace.model.quota.LedgerEntry.Posting;
import io.millrace.model.quota.ProcessorTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A generated year of evenly spread runs: 10,000 users of 100 projects, each on three of 20 clusters. One of ten runs is partly
 * refunded.
 *
 * @param runs in the whole year
 */
record GeneratedLedger(long runs) {

    static final int USERS = 10_000;
    static final int CLUSTERS = 20;
    private static final int PROJECTS = 100;
    private static final int CLUSTERS_OF_A_USER = 3;
    private static final Instant NEW_YEAR = Instant.parse("2025-01-01T00:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration RUN = Duration.ofHours(2);

    LedgerEntry entry(final long number) {
        final Instant at = instant(number);
        // A prime coprime to the number of users, so that consecutive runs belong to different users with equal counts.
        final long user = number * 7919 % USERS;
        final String project = "p" + user % PROJECTS;
        final String cluster = "c" + (user + number / USERS % CLUSTERS_OF_A_USER) % CLUSTERS;
        final String account = "use/u" + user + "/" + project;
        final List<Posting> postings = new ArrayList<>(2);
        postings.add(new Posting(Kind.CHARGE, account, "cluster/" + cluster, new ProcessorTime(3600 + number % 97, 0)));
        if (number % 10 == 0) {
            postings.add(new Posting(Kind.REFUND, "loss/" + cluster, account, new ProcessorTime(900, 0)));
        }
        return new LedgerEntry(
                new JobKey(new JobId(ClusterId.of(cluster), Long.toString(number)), at.minus(RUN)),
                1,
                UserName.of("u" + user),
                ProjectName.of(project),
                at,
                periods(at),
                1000,
                postings,
                null,
                null);
    }

    YearMonth month(final long number) {
        return YearMonth.from(instant(number).atOffset(ZoneOffset.UTC));
    }

    /** The first run that ends in this month. */
    long first(final YearMonth month) {
        final Duration into =
                Duration.between(NEW_YEAR, month.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC));
        return Math.ceilDiv(into.toSeconds() * runs, YEAR.toSeconds());
    }

    private Instant instant(final long number) {
        return NEW_YEAR.plusSeconds(number * YEAR.toSeconds() / runs);
    }

    private static List<String> periods(final Instant at) {
        final LocalDate day = LocalDate.ofInstant(at, ZoneOffset.UTC);
        final String week = String.format(
                Locale.ROOT,
                "%04d-W%02d",
                day.get(IsoFields.WEEK_BASED_YEAR),
                day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        return List.of(week, YearMonth.from(day).toString(), Integer.toString(day.getYear()));
    }
}
