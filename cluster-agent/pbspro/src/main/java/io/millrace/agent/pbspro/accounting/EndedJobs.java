package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.agent.pbspro.query.JobMapper;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.JobKey;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists ended jobs by time, from the accounting log. Each day's file is read from the last position, so that a query costs only
 * what was written since.
 */
public final class EndedJobs {

    private static final Logger LOG = LoggerFactory.getLogger(EndedJobs.class);
    private static final Duration KEPT = Duration.ofHours(6);

    private final PbsSite site;
    private final Runner runner;
    private final Clock clock;
    private final Map<String, Long> readUpTo = new HashMap<>();
    private final List<AccountingRecord> recent = new ArrayList<>();

    public EndedJobs(final PbsSite site, final Runner runner, final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
    }

    public synchronized Answer<List<EndedJob>> since(final Instant since) {
        if (site.accounting() == null
                || !(runner.run(new AccountingLog.Readable(site.accounting())) instanceof Answer.Ok<Boolean> readable)
                || !readable.value()) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "cannot read the accounting log, and the job history cannot be queried by time; give the agent"
                            + " read access, see deploy/pbs");
        }
        for (final String file : AccountingLog.files(site.accounting(), since, clock.instant())) {
            final Answer<byte[]> more = runner.run(new AccountingLog.Tail(site, file, readUpTo.getOrDefault(file, 0L)));
            switch (more) {
                case Answer.Ok<byte[]> ok -> take(file, ok.value());
                case Answer.Trouble<byte[]> trouble -> {
                    return trouble.of();
                }
            }
        }
        final Instant oldest = clock.instant().minus(KEPT);
        recent.removeIf(record -> isBefore(record, oldest) && isBefore(record, since));
        return Answer.ok(ended(since));
    }

    /** Consumes complete lines; the next query reads the rest. */
    private void take(final String file, final byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        readUpTo.merge(file, (long) end, Long::sum);
        recent.addAll(AccountingLog.records(site, new String(bytes, 0, end, StandardCharsets.UTF_8)));
    }

    private static boolean isBefore(final AccountingRecord record, final Instant time) {
        return record.at() != null && record.at().isBefore(time);
    }

    private List<EndedJob> ended(final Instant since) {
        final List<EndedJob> jobs = new ArrayList<>();
        for (final AccountingRecord record : recent) {
            final JobKey key = record.key(site);
            final Instant end = record.time("end");
            if (record.type() == 'E' && key != null && end != null && !end.isBefore(since)) {
                job(record, key).ifPresent(jobs::add);
            }
        }
        return jobs;
    }

    private Optional<EndedJob> job(final AccountingRecord record, final JobKey key) {
        if (PbsId.in(record.job()).isEmpty()) {
            return Optional.empty();
        }
        final List<Run> runs = new ArrayList<>();
        boolean deleted = false;
        for (final AccountingRecord other : recent) {
            if (!other.job().equals(record.job())) {
                continue;
            }
            deleted |= other.type() == 'D' && !isBefore(other, key.submittedAt());
            if (other.type() == 'R' && key.equals(other.key(site)) && other.endsARun()) {
                runs.add(other.run(key, false));
            }
        }
        runs.add(record.run(key, deleted));
        try {
            return Optional.of(job(site, record, key, runs));
        } catch (final IllegalArgumentException e) {
            LOG.warn("cannot report the end of a job; accounting record ignored: {}", record, e);
            return Optional.empty();
        }
    }

    static EndedJob job(final PbsSite site, final AccountingRecord record, final JobKey key, final List<Run> runs) {
        final Map<String, String> fields = record.fields();
        return new EndedJob(
                key,
                fields.getOrDefault("jobname", record.job()),
                HoldMark.parse(fields.get("Resource_List." + HoldMark.RESOURCE))
                        .map(HoldMark::attempt)
                        .orElse(null),
                NameMapping.user(fields.getOrDefault("user", "")),
                JobMapper.project(
                        site.charge(), fields.getOrDefault("project", ""), fields.getOrDefault("account", "")),
                NameMapping.partition(fields.getOrDefault("queue", "default")),
                JobMapper.requested(name -> fields.getOrDefault(name, ""), 0),
                PbsDuration.read(fields.get("Resource_List.walltime")),
                runs);
    }
}
