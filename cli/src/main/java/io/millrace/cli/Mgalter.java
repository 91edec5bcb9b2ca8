package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes jobs. */
@Command(
        name = "mgalter",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description = "Changes properties of jobs that wait for a cluster, and time limit, partition, name and cores of"
                + " placed jobs. Only operators raise the time limit of a running job.",
        exitCodeListHeading = "Exit codes (with several jobs: the first that is not 0):%n",
        exitCodeList = {
            "0:change requested",
            "1:the job has finished, its cluster or some jobs of the batch do not allow the change, or an ID prefix"
                    + " matches several jobs",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job not found",
            "5:the service is not reachable"
        })
final class Mgalter implements Callable<Integer> {

    @Parameters(
            paramLabel = "ID",
            arity = "1..*",
            description =
                    "number of a job or batch (4711), tasks of a batch (4711_4, 4711_[3-6,9]), id or unique prefix, or"
                            + " CLUSTER/ID with the cluster's own id; - reads them from standard input")
    List<String> ids;

    @Option(
            names = {"-t", "--walltime"},
            paramLabel = "TIME",
            description = "maximum run time: minutes, [D-]HH:MM:SS or PT1H30M")
    @Nullable
    String walltime;

    @Option(
            names = {"-n", "--cores"},
            paramLabel = "N",
            description = "total number of cores")
    @Nullable
    Integer cores;

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "NAME",
            description = "partition on the cluster that runs the job")
    @Nullable
    String partition;

    @Option(
            names = {"-J", "--name"},
            paramLabel = "NAME",
            description = "job name")
    @Nullable
    String name;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "order among the waiting jobs of the same user, -1024 to 1023: higher first (default: 0)")
    @Nullable
    Integer priority;

    @Option(
            names = "--dependency",
            paramLabel = "CONDITIONS",
            description =
                    "wait for other jobs or batches, as of sbatch: afterok:ID, afternotok:ID, afterany:ID, after:ID,"
                            + " singleton; none: wait for no job")
    @Nullable
    String dependency;

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        final ObjectNode change = Json.object();
        put(change, "name", name);
        put(change, "walltime", walltime);
        put(change, "partition", partition);
        put(change, "dependency", dependency);
        if (cores != null) {
            change.put("cores", cores);
        }
        if (priority != null) {
            change.put("priority", priority);
        }
        if (change.isEmpty()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "nothing to change; give -t, -n, -p, -J, --priority or --dependency, e.g. mgalter -t 30 ID");
        }
        return JobRequests.send(api, "alter", ChosenJobs.given(ids), change);
    }

    private static void put(final ObjectNode change, final String field, final @Nullable String value) {
        if (value != null) {
            change.put(field, value);
        }
    }
}
