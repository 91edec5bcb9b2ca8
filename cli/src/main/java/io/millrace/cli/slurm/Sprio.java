package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the priorities of waiting jobs as Slurm does. */
@Command(
        name = "sprio",
        versionProvider = SlurmVersion.class,
        sortOptions = false,
        description = "Shows the priorities of your waiting jobs in the queues of all clusters, highest first.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failure"})
public final class Sprio implements Callable<Integer> {

    private static final String USUAL = "%.15i %9r %.10Y %.10A %.10F %.10J %.10Q";
    private static final String LONG = "%.15i %9r %.8u %.10o %.10c %.10Y %.10A %.10F %.10J %.10Q";

    private static final List<SlurmColumn<JsonNode>> COLUMNS = List.of(
            column(
                    'i',
                    "JOBID",
                    job -> job.path("number")
                            .asText(job.path("cluster").asText() + "/"
                                    + job.path("id").asText())),
            column('r', "PARTITION", job -> job.path("partition").asText("any")),
            column('u', "USER", job -> job.path("user").asText()),
            column('o', "ACCOUNT", job -> job.path("project").asText()),
            column('c', "CLUSTER", job -> job.path("cluster").asText()),
            column('Y', "PRIORITY", job -> job.path("priority").asText()),
            column('y', "PRIORITY", job -> job.path("priority").asText()),
            column('A', "AGE", job -> points(job, "age")),
            column('F', "FAIRSHARE", job -> points(job, "use")),
            column('J', "JOBSIZE", job -> points(job, "size")),
            column('Q', "QOS", job -> points(job, "entitlement")));

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Option(
            names = {"-j", "--jobs"},
            paramLabel = "NUMBERS",
            description = "only these jobs")
    @Nullable
    List<String> jobs;

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USERS",
            description = "only jobs of these users")
    @Nullable
    List<String> users;

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "PARTITIONS",
            description = "only jobs for these partitions")
    @Nullable
    List<String> partitions;

    @Option(
            names = {"-o", "--format"},
            paramLabel = "FORMAT",
            description = "such as %%.15i %%Y, see sprio(1)")
    @Nullable
    String format;

    @Option(
            names = {"-h", "--noheader"},
            description = "no headings")
    boolean noHeader;

    @Option(
            names = {"-l", "--long"},
            description = "more columns")
    boolean wide;

    private final Map<String, String> environment;

    public Sprio(final Map<String, String> environment) {
        this.environment = environment;
    }

    private static SlurmColumn<JsonNode> column(
            final char letter, final String heading, final Function<JsonNode, String> value) {
        return new SlurmColumn<>(
                heading.toLowerCase(Locale.ROOT), letter, heading, 0, job -> TerminalText.printable(value.apply(job)));
    }

    private static String points(final JsonNode job, final String name) {
        for (final JsonNode term : job.path("terms")) {
            if (term.path("term").asText().equals(name)) {
                return term.path("points").asText();
            }
        }
        return "0";
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        final List<String> numbers = JobLookup.numbers(jobs);
        final List<JsonNode> shown = new ArrayList<>();
        api.get("/priority/jobs").path("jobs").forEach(job -> {
            final String number = job.path("number").asText();
            if ((numbers.isEmpty() || numbers.contains(number) || numbers.contains(number.replaceFirst("_.*", "")))
                    && JobLookup.field("user", JobLookup.words(users)).test(job)
                    && JobLookup.field("partition", JobLookup.words(partitions)).test(job)
                    && JobLookup.field("cluster", common.clusters()).test(job)) {
                shown.add(job);
            }
        });
        SlurmFormat.letters(format != null ? format : wide ? LONG : USUAL, COLUMNS)
                .lines(shown, !noHeader)
                .forEach(Printer::out);
        return ExitCode.OK;
    }
}
