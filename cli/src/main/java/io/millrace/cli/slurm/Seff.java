package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.WalltimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows what a job used of what it requested. */
@Command(
        name = "seff",
        versionProvider = SlurmVersion.class,
        description = "Shows what an ended job used of what it requested.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failure"})
public final class Seff implements Callable<Integer> {

    private static final double MIB = 1 << 20;

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Parameters(paramLabel = "NUMBER", description = "4711 or 4711_3")
    String number;

    private final Map<String, String> environment;

    public Seff(final Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        final List<JsonNode> found = new JobLookup(api).named(JobLookup.numbers(List.of(number)));
        if (found.isEmpty()) {
            Printer.err("Job not found.");
            return ExitCode.FAILED;
        }
        for (final JsonNode view : found) {
            lines(new SlurmJob(view, null, Instant.now()));
        }
        return ExitCode.OK;
    }

    private static void lines(final SlurmJob job) {
        final long cores = job.view().path("cores").asLong();
        Printer.out("Job ID: " + job.id());
        Printer.out("Cluster: " + job.text("cluster"));
        Printer.out("User/Group: " + job.text("user"));
        Printer.out("State: " + job.state() + " (exit code " + job.exit().replaceFirst(":.*", "") + ")");
        Printer.out("Nodes: " + job.nodes());
        Printer.out("Cores per node: " + Math.ceilDiv(cores, job.nodes()));
        final JsonNode used = job.view().path("used");
        if (!used.has("cpuSeconds")) {
            Printer.out("Efficiency not available: the job has not ended, or its cluster does not measure it.");
            return;
        }
        final Duration cpu = Duration.ofSeconds(used.path("cpuSeconds").asLong());
        final Duration coreTime = job.elapsed().multipliedBy(cores);
        Printer.out("CPU Utilized: " + WalltimeFormat.format(cpu));
        Printer.out("CPU Efficiency: " + percent(cpu.toMillis(), coreTime.toMillis()) + " of "
                + WalltimeFormat.format(coreTime) + " core-walltime");
        Printer.out("Job Wall-clock time: " + WalltimeFormat.format(job.elapsed()));
        final double peak = used.path("peakMemoryBytes").asLong() / MIB;
        final long requested = job.view().path("memoryMib").asLong();
        Printer.out(String.format(Locale.ROOT, "Memory Utilized: %.2f MB", peak));
        Printer.out("Memory Efficiency: " + percent(peak, requested) + " of "
                + String.format(Locale.ROOT, "%.2f MB", (double) requested));
    }

    private static String percent(final double part, final double whole) {
        return String.format(Locale.ROOT, "%.2f%%", whole == 0 ? 0 : 100 * part / whole);
    }
}
