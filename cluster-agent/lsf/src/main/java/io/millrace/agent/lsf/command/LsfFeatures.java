package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.query.ParamsQuery;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Features of the installed version, detected by trying them.
 *
 * @param version see {@link LsfVersion}
 * @param unwrappedFormat whether {@code bjobs -UF} is available; otherwise {@code -l} is used, which can lose a blank at a line break
 * @param columns how columns are requested
 * @param memoryPerSlot whether the cluster reserves memory for each slot; see {@link ParamsQuery.Params}
 */
public record LsfFeatures(LsfVersion version, boolean unwrappedFormat, ColumnFormat columns, boolean memoryPerSlot) {

    public enum ColumnFormat {
        JSON,
        FIELDS,
        TABLE
    }

    public static Answer<LsfFeatures> of(final LsfSite site, final Runner runner) {
        return runner.run(new VersionQuery(site))
                .then(version -> runner.run(new OptionProbe(site, List.of("-UF")))
                        .then(unwrapped -> columns(site, runner)
                                .then(columns -> memoryPerSlot(site, runner, version)
                                        .map(perSlot -> new LsfFeatures(version, unwrapped, columns, perSlot)))));
    }

    /** OpenLava has no such setting. */
    private static Answer<Boolean> memoryPerSlot(final LsfSite site, final Runner runner, final LsfVersion version) {
        return version.isLsf()
                ? runner.run(new ParamsQuery(site, true)).map(ParamsQuery.Params::memoryPerSlot)
                : Answer.ok(false);
    }

    private static Answer<ColumnFormat> columns(final LsfSite site, final Runner runner) {
        return runner.run(new OptionProbe(site, List.of("-o", "jobid", "-json")))
                .then(json -> json
                        ? Answer.ok(ColumnFormat.JSON)
                        : runner.run(new OptionProbe(site, List.of("-o", "jobid job_name delimiter=\"|\"")))
                                .map(fields -> fields ? ColumnFormat.FIELDS : ColumnFormat.TABLE));
    }

    /** Queries a job that does not exist, to see whether bjobs accepts the options. */
    private record OptionProbe(LsfSite site, List<String> options) implements LsfQuery<Boolean> {

        @Override
        public List<String> argv() {
            final List<String> argv = new ArrayList<>(List.of(site.program("bjobs")));
            argv.addAll(options);
            argv.add("999999"); // the highest job id that both products accept
            return argv;
        }

        @Override
        public Answer<Boolean> read(final CommandResult result) {
            final String output = result.errorText() + " " + result.outputText();
            if (LsfErrors.isDown(result)) {
                return LsfErrors.of("bjobs", result, Answer.Kind.UNREADABLE);
            }
            return Answer.ok(!output.contains("Usage:")
                    && !output.contains("invalid option")
                    && !output.contains("illegal option")
                    && !output.contains("nvalid field"));
        }
    }
}
