package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.agent.wlm.Runner;
import java.util.ArrayList;
import java.util.List;

/**
 * What the installed version can do, found out by trying it.
 *
 * @param version of {@link LsfVersion}
 * @param unwrappedFormat whether {@code bjobs -UF} is there; else {@code -l} is read, where a blank may be lost at a break
 * @param columns how exact columns are asked for
 */
record LsfFeatures(LsfVersion version, boolean unwrappedFormat, ColumnFormat columns) {

    enum ColumnFormat {
        JSON,
        FIELDS,
        TABLE
    }

    static Answer<LsfFeatures> of(final LsfSite site, final Runner runner) {
        return runner.run(new VersionQuery(site))
                .then(version -> runner.run(new OptionProbe(site, List.of("-UF")))
                        .then(unwrapped ->
                                columns(site, runner).map(columns -> new LsfFeatures(version, unwrapped, columns))));
    }

    private static Answer<ColumnFormat> columns(final LsfSite site, final Runner runner) {
        return runner.run(new OptionProbe(site, List.of("-o", "jobid", "-json")))
                .then(json -> json
                        ? Answer.ok(ColumnFormat.JSON)
                        : runner.run(new OptionProbe(site, List.of("-o", "jobid job_name delimiter=\"|\"")))
                                .map(fields -> fields ? ColumnFormat.FIELDS : ColumnFormat.TABLE));
    }

    /** Asks about a job that is not there: whether the options are understood shows all the same. */
    private record OptionProbe(LsfSite site, List<String> options) implements LsfQuery<Boolean> {

        @Override
        public List<String> argv() {
            final List<String> argv = new ArrayList<>(List.of(site.program("bjobs")));
            argv.addAll(options);
            argv.add("999999"); // the highest id that both products take
            return argv;
        }

        @Override
        public Answer<Boolean> read(final CommandResult result) {
            final String said = result.complaint() + " " + result.outputText();
            if (LsfErrors.isDown(result)) {
                return LsfErrors.of("bjobs", result, Answer.Kind.UNREADABLE);
            }
            return Answer.ok(!said.contains("Usage:")
                    && !said.contains("invalid option")
                    && !said.contains("illegal option")
                    && !said.contains("nvalid field"));
        }
    }
}
