package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.agent.wlm.Runner;
import java.util.ArrayList;
import java.util.List;

/**
 * What the installed version can do, found out by trying it.
 *
 * @param version of {@link Version}
 * @param unwrapped whether {@code bjobs -UF} is there; else {@code -l} is read, where a blank may be lost at a break
 * @param columns how exact columns are asked for
 */
record Means(Version version, boolean unwrapped, As columns) {

    enum As {
        JSON,
        FIELDS,
        TABLE
    }

    static Answer<Means> of(final LsfSite site, final Runner runner) {
        return runner.run(new VersionQuery(site))
                .then(version -> runner.run(new Try(site, List.of("-UF")))
                        .then(unwrapped ->
                                columns(site, runner).map(columns -> new Means(version, unwrapped, columns))));
    }

    private static Answer<As> columns(final LsfSite site, final Runner runner) {
        return runner.run(new Try(site, List.of("-o", "jobid", "-json")))
                .then(json -> json
                        ? Answer.ok(As.JSON)
                        : runner.run(new Try(site, List.of("-o", "jobid job_name delimiter=\"|\"")))
                                .map(fields -> fields ? As.FIELDS : As.TABLE));
    }

    /** Asks about a job that is not there: whether the options are understood shows all the same. */
    private record Try(LsfSite site, List<String> options) implements Question<Boolean> {

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
            if (Complaint.isDown(result)) {
                return Complaint.of("bjobs", result, Answer.Kind.UNREADABLE);
            }
            return Answer.ok(!said.contains("Usage:")
                    && !said.contains("invalid option")
                    && !said.contains("illegal option")
                    && !said.contains("nvalid field"));
        }
    }
}
