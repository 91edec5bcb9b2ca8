package io.millrace.agent.lsf;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfFeatures.ColumnFormat;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.lsf.command.VersionQuery;
import io.millrace.agent.lsf.history.AccountingQuery;
import io.millrace.agent.lsf.history.HistoryQuery;
import io.millrace.agent.lsf.history.RunHistory;
import io.millrace.agent.lsf.query.ArrayLimitQuery;
import io.millrace.agent.lsf.query.ColumnQuery;
import io.millrace.agent.lsf.query.DependencyQuery;
import io.millrace.agent.lsf.query.GpuQuery;
import io.millrace.agent.lsf.query.HostGroupQuery;
import io.millrace.agent.lsf.query.HostHardwareQuery;
import io.millrace.agent.lsf.query.HostQuery;
import io.millrace.agent.lsf.query.JobHeading;
import io.millrace.agent.lsf.query.JobQuery;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.lsf.query.ParamsQuery;
import io.millrace.agent.lsf.query.QueueQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.DamagedOutput;
import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every parser of LSF output survives any text: random bytes, damaged recordings, lines of a megabyte. */
class DamagedOutputTest {

    private static final LsfSite SITE = LsfSite.of(ClusterId.of("lava"), Path.of("/nowhere"));
    private static final LsfVersion LAVA = new LsfVersion("openlava", "4.0.0");
    private static final Instant NOW = Instant.parse("2026-11-20T14:00:00Z");
    /** What the owner of a job can write as often as it likes. */
    private static final List<String> REPEATED = List.of(
            "\"\"",
            "<",
            ">, User <x",
            ">, Status <RUN>, ",
            "Requested Resources <",
            "span[ptile=",
            "rusage[mem=1:",
            "1 Processors Requested, ",
            "done(1)&&",
            "[1]");

    private static final Map<CommandLine<?>, String> PARSERS = new LinkedHashMap<>();

    static {
        PARSERS.put(new JobQuery(SITE, true, List.of()), "040-bjobs-UF");
        PARSERS.put(new JobQuery(SITE, false, List.of()), "039-bjobs-all-a-l");
        for (final ColumnFormat format : ColumnFormat.values()) {
            PARSERS.put(
                    new ColumnQuery(SITE, new LsfFeatures(LAVA, true, format, false), List.of()), "037-bjobs-all-w");
        }
        PARSERS.put(new ArrayLimitQuery(SITE), "049-bjobs-A");
        PARSERS.put(new DependencyQuery(SITE, false, "1", "done(2)"), "083-bjdep");
        PARSERS.put(new DependencyQuery(SITE, true, "1", "done(2)"), "083-bjdep");
        PARSERS.put(new QueueQuery(SITE), "064-bqueues-l");
        PARSERS.put(new HostQuery(SITE), "068-bhosts-w");
        PARSERS.put(new HostHardwareQuery(SITE), "071-lshosts");
        PARSERS.put(new HostGroupQuery(SITE), "068-bhosts-w");
        PARSERS.put(new GpuQuery(SITE), "068-bhosts-w");
        PARSERS.put(new ParamsQuery(SITE, false), "075-bparams-l");
        PARSERS.put(new VersionQuery(SITE), "001-version");
        PARSERS.put(new HistoryQuery(SITE, List.of(), false), "079-bhist-all-a-l");
        PARSERS.put(new AccountingQuery(SITE, Path.of("/logs"), "x"), "190-lsb-acct");
    }

    @Test
    void damaged_output_is_read_or_is_trouble_but_never_an_error() {
        PARSERS.forEach((parser, recording) -> {
            final CommandResult whole = Recording.of(recording).result();
            DamagedOutput.survives(argv -> whole, REPEATED, runner -> {
                if (runner.run(parser) instanceof Answer.Ok<?> ok && ok.value() instanceof List<?> list) {
                    list.forEach(DamagedOutputTest::readJob);
                }
            });
        });
    }

    @Test
    void the_time_to_read_a_long_line_is_proportional_to_its_length() {
        final LsfFeatures columns = new LsfFeatures(LAVA, true, ColumnFormat.TABLE, false);
        survives("1 u RUN q from on", " ", "x", new ColumnQuery(SITE, columns, List.of()));
        survives("host type model 1.0 1 1M 1M Yes", " ", "x", new HostHardwareQuery(SITE));
        survives("host type model 1.0 ", "1", " 1M 1M Yes", new HostHardwareQuery(SITE));
        final String jobs = Recording.of("040-bjobs-UF").result().outputText();
        final int command = jobs.indexOf("Command <") + "Command <".length();
        DamagedOutput.survives(jobs.substring(0, command) + "#!/bin/bash", " ", "x" + jobs.substring(command), text -> {
            final Answer<List<LongFormat.Job>> read =
                    new JobQuery(SITE, true, List.of()).read(CommandResult.of(0, text, ""));
            read.get().forEach(DamagedOutputTest::readJob);
        });
    }

    private static void survives(
            final String before, final String piece, final String after, final CommandLine<?> parser) {
        DamagedOutput.survives(
                "heading\n" + before, piece, after + "\n", text -> parser.read(CommandResult.of(0, text, "")));
    }

    private static void readJob(final Object element) {
        if (element instanceof LongFormat.Job job) {
            JobHeading.read(job.heading())
                    .flatMap(heading -> ListedJob.of(job, heading, NOW, false))
                    .ifPresent(ListedJob::attempt);
            RunHistory.read(job, null, NOW);
        }
    }
}
