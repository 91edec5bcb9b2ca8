package io.millrace.agent.torque.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.wlm.Answer;
import io.millrace.script.WlmFeatures;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Features of the installed version, detected by queries.
 *
 * @param version as reported by the server, e.g. {@code 6.1.2}, {@code OpenPBS_2.3}
 * @param xml whether {@code qstat -x} and {@code pbsnodes -x} print XML
 * @param listsArrayTasks whether {@code qstat -t} lists the tasks of arrays
 */
public record TorqueFeatures(String version, boolean xml, boolean listsArrayTasks) {

    /** Options of {@code qstat} to list all jobs. */
    List<String> listFlags() {
        final List<String> flags = new ArrayList<>(jobFlags());
        if (listsArrayTasks) {
            flags.add("-t");
        }
        return flags;
    }

    /** Options of {@code qstat} to query jobs by id. */
    List<String> jobFlags() {
        return List.of(xml ? "-x" : "-f");
    }

    /**
     * The abilities for script translation. Arrays are excluded: a job of Millrace is one job, and an array would become several
     * with unknown ids.
     */
    public WlmFeatures abilities() {
        return new WlmFeatures(name(), isOpenPbs23() ? Set.of("-t", "-n") : Set.of("-t"));
    }

    public static Answer<TorqueFeatures> of(final TorqueSite site, final Runner runner) {
        return runner.run(new ServerQuery(site)).then(server -> {
            final String version = version(server);
            return runner.run(new Probe(site, "-x", true))
                    .then(xml -> runner.run(new Probe(site, "-t", false))
                            .map(tasks -> new TorqueFeatures(version, xml, tasks)));
        });
    }

    static String version(final PbsObject server) {
        final String reported = server.get("pbs_version", "").strip();
        return reported.isEmpty() ? "unknown" : reported;
    }

    /** Name and version, e.g. {@code torque 6.1.2}, {@code torque OpenPBS_2.3}. */
    public String name() {
        return "torque " + version;
    }

    /** Whether the server is OpenPBS 2.3, which includes the name in its version. Torque versions are numbers from 1.0 to 6.x. */
    boolean isOpenPbs23() {
        return version.startsWith("OpenPBS") || version.startsWith("2.3.1");
    }

    /** Checks whether {@code qstat} supports an option. If not, it prints its usage and exits with 2. */
    private record Probe(TorqueSite site, String flag, boolean meansXml) implements TorqueQuery<Boolean> {

        @Override
        public List<String> argv() {
            return List.of(site.program("qstat"), flag);
        }

        @Override
        public Boolean parse(final String output) {
            // An empty queue prints nothing. PBS Pro also has -x, but with another meaning (job history).
            return !meansXml || output.isBlank() || output.stripLeading().startsWith("<");
        }

        @Override
        public Answer<Boolean> read(final CommandResult result) {
            final boolean usage = !result.succeeded()
                    && (result.errorText().contains("sage:")
                            || result.errorText().contains("illegal option")
                            || result.errorText().contains("invalid option"));
            return usage ? Answer.ok(false) : TorqueQuery.super.read(result);
        }
    }
}
