package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.MemorySize;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import io.millrace.model.VetoCode;
import io.millrace.script.WalltimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows clusters with free cores. */
@Command(
        name = "findavl",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description =
                "Shows clusters with enough idle resources, sorted by the number of idle cores, and clusters that get"
                        + " no jobs: 'stale' if the workload manager does not answer its agent, 'unavailable' if the agent"
                        + " does not report, 'drained', 'fenced' or 'returning' if an operator has taken the cluster out"
                        + " of service.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:at least one cluster has enough idle resources",
            "1:no cluster has enough idle resources",
            "2:invalid options or arguments",
            "3:not authorised",
            "5:the service is not reachable"
        })
final class Findavl implements Callable<Integer> {

    private static final Pattern LICENCE = Pattern.compile("([^:=]+)(?:[:=](\\d{1,9}))?");

    private static final List<Table.Column> COLUMNS = List.of(
            new Table.Column("CLUSTER", false, true),
            new Table.Column("IDLE", true, false),
            new Table.Column("CORES", true, false),
            new Table.Column("RUNNING", true, false),
            new Table.Column("WAITING", true, false),
            new Table.Column("CONTROL", false, false),
            new Table.Column("STATE", false, false),
            new Table.Column("WLM", false, false));

    private static final Table.Column PARTITIONS = new Table.Column("PARTITIONS", false, false);

    @Option(
            names = {"-n", "--cores"},
            paramLabel = "N",
            defaultValue = "1",
            description = "minimum number of idle cores (default: 1)")
    int cores;

    @Option(
            names = {"-m", "--mem"},
            paramLabel = "SIZE",
            defaultValue = "0",
            description = "minimum idle memory of the cluster, e.g. 4G (default: any)")
    String memory;

    @Option(
            names = {"-g", "--gpus"},
            paramLabel = "N",
            defaultValue = "0",
            description = "minimum number of idle GPUs (default: 0)")
    int gpus;

    @Option(
            names = {"-t", "--walltime"},
            paramLabel = "TIME",
            description = "run time that must end before a maintenance window: minutes, [D-]HH:MM:SS or PT1H30M")
    @Nullable
    String walltime;

    @Option(
            names = {"-C", "--feature"},
            paramLabel = "NAME",
            split = ",",
            description = "required node features")
    List<String> features = List.of();

    @Option(names = "--software", paramLabel = "NAME", split = ",", description = "required software")
    List<String> software = List.of();

    @Option(
            names = {"-L", "--licence"},
            paramLabel = "NAME:N",
            split = ",",
            description = "required licence tokens; without a number: 1")
    List<String> licences = List.of();

    @Option(
            names = "--disk",
            paramLabel = "SIZE",
            defaultValue = "0",
            description = "free space for the files of a job from another cluster, e.g. 20G")
    String disk;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    Findavl(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        final JsonNode clusters = api.get("/clusters");
        final Shape shape = shape();
        final List<JsonNode> idle = available(clusters, shape);
        final Instant now = Instant.now();
        final List<JsonNode> found = idle.stream()
                .filter(cluster -> shape.veto(cluster, now).isEmpty())
                .toList();
        final List<JsonNode> unknown = unknown(clusters);
        if (json) {
            final ArrayNode array = JsonNodeFactory.instance.arrayNode();
            found.forEach(array::add);
            Printer.block(Json.pretty(array));
        } else if (!found.isEmpty() || !unknown.isEmpty()) {
            table(found, unknown).lines(terminal).forEach(Printer::out);
        }
        if (found.isEmpty() && !json) {
            Printer.err("findavl: no cluster has " + shape.text() + " idle");
        }
        idle.forEach(cluster -> shape.veto(cluster, now)
                .ifPresent(why -> Printer.err("findavl: "
                        + TerminalText.printable(cluster.path("name").asText() + " " + why))));
        problems(clusters).forEach(problem -> Printer.err("findavl: " + problem));
        warnings(unknown, api.get("/services")).forEach(warning -> Printer.err("findavl: " + warning));
        return found.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
    }

    /**
     * What a job needs, which a cluster must have idle in total.
     *
     * @param walltime null: any
     * @param licences tokens by name
     * @param diskMib free space for files of jobs from other clusters
     */
    record Shape(
            int cores,
            long memoryMib,
            int gpus,
            @Nullable Duration walltime,
            List<String> features,
            List<String> software,
            Map<String, Integer> licences,
            long diskMib) {

        Shape(final int cores, final long memoryMib, final int gpus) {
            this(cores, memoryMib, gpus, null, List.of(), List.of(), Map.of(), 0);
        }

        /** Why a cluster with enough idle resources does not run such a job now: a sentence with the code of the veto. */
        Optional<String> veto(final JsonNode cluster, final Instant now) {
            return missing(cluster, "features", features, VetoCode.FEATURES_MISSING)
                    .or(() -> cluster.path("software").isEmpty()
                            ? Optional.empty()
                            : missing(cluster, "software", software, VetoCode.SOFTWARE_MISSING))
                    .or(() -> licences(cluster))
                    .or(() -> disk(cluster))
                    .or(() -> maintenance(cluster, now));
        }

        private static Optional<String> missing(
                final JsonNode cluster, final String field, final List<String> wanted, final VetoCode code) {
            return wanted.stream()
                    .filter(name -> !cluster.path(field).has(name))
                    .findFirst()
                    .map(name -> "has no " + field + " '" + name + "' (" + code.code() + ")");
        }

        private Optional<String> licences(final JsonNode cluster) {
            if (!cluster.has("licences")) {
                return Optional.empty();
            }
            return licences.entrySet().stream()
                    .filter(wanted -> tokens(cluster, wanted.getKey(), "free") < wanted.getValue())
                    .findFirst()
                    .map(wanted -> {
                        final int total = tokens(cluster, wanted.getKey(), "total");
                        final VetoCode code =
                                total < wanted.getValue() ? VetoCode.EXCEEDS_LICENCES : VetoCode.LICENCES_IN_USE;
                        return "has " + tokens(cluster, wanted.getKey(), "free") + " of " + total
                                + " tokens of licence '" + wanted.getKey() + "' free (" + code.code() + ")";
                    });
        }

        private static int tokens(final JsonNode cluster, final String licence, final String count) {
            return cluster.path("licences").path(licence).path(count).asInt();
        }

        private Optional<String> disk(final JsonNode cluster) {
            return !cluster.has("stagingFreeMib")
                            || cluster.path("stagingFreeMib").asLong() >= diskMib
                    ? Optional.empty()
                    : Optional.of("has " + cluster.path("stagingFreeMib").asLong() + " MiB free for files ("
                            + VetoCode.DISK_FULL.code() + ")");
        }

        /** A window of some nodes does not close the cluster. */
        private Optional<String> maintenance(final JsonNode cluster, final Instant now) {
            final Instant end = now.plus(walltime == null ? Duration.ZERO : walltime);
            for (final JsonNode window : cluster.path("maintenance")) {
                final Instant from = Instant.parse(window.path("from").asText());
                final Instant until = Instant.parse(window.path("until").asText());
                if (window.path("nodes").isEmpty() && now.isBefore(until) && end.isAfter(from)) {
                    return Optional.of(
                            "is in maintenance '" + window.path("name").asText() + "' from " + from + " to " + until
                                    + " (" + VetoCode.MAINTENANCE.code() + ")");
                }
            }
            return Optional.empty();
        }

        boolean fits(final JsonNode cluster) {
            return idle(cluster) >= cores
                    && (memoryMib == 0 || cluster.path("free").path("memoryMib").asLong() >= memoryMib)
                    && cluster.path("free").path("gpus").asInt() >= gpus;
        }

        String text() {
            return cores + " cores" + (memoryMib == 0 ? "" : ", " + memoryMib + " MiB")
                    + (gpus == 0 ? "" : ", " + gpus + " GPUs");
        }
    }

    private Shape shape() throws CommandException {
        final Map<String, Integer> tokens = new TreeMap<>();
        for (final String licence : licences) {
            final Matcher form = LICENCE.matcher(licence);
            if (!form.matches()) {
                throw new CommandException(
                        ExitCode.USAGE, "--licence: '" + licence + "' is not a licence; use NAME or NAME:N");
            }
            tokens.put(form.group(1), form.group(2) == null ? 1 : Integer.parseInt(form.group(2)));
        }
        return new Shape(
                cores,
                MemorySize.mib("--mem", memory),
                gpus,
                walltime == null ? null : limit(walltime),
                features,
                software,
                tokens,
                MemorySize.mib("--disk", disk));
    }

    private static Duration limit(final String text) throws CommandException {
        try {
            return WalltimeText.parse(text);
        } catch (final IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, "--walltime: " + e.getMessage());
        }
    }

    static List<JsonNode> available(final JsonNode answer, final Shape shape) {
        final List<JsonNode> found = new ArrayList<>();
        answer.path("clusters").forEach(cluster -> {
            if (isInService(cluster) && shape.fits(cluster)) {
                found.add(cluster);
            }
        });
        found.sort(Comparator.comparingInt(Findavl::idle)
                .reversed()
                .thenComparing(cluster -> cluster.path("name").asText()));
        return found;
    }

    private static boolean isInService(final JsonNode cluster) {
        return state(cluster).equals("answering");
    }

    /** Its health, or why operators took it out of service. */
    private static String state(final JsonNode cluster) {
        final String availability = cluster.path("availability").path("status").asText("open");
        return availability.equals("open") ? cluster.path("health").asText() : availability;
    }

    /** The clusters that get no jobs, by name: their free cores are unknown, or they are not in service. */
    static List<JsonNode> unknown(final JsonNode answer) {
        final List<JsonNode> unknown = new ArrayList<>();
        answer.path("clusters").forEach(cluster -> {
            if (!isInService(cluster)) {
                unknown.add(cluster);
            }
        });
        unknown.sort(Comparator.comparing(cluster -> cluster.path("name").asText()));
        return unknown;
    }

    /** Clusters in service that are not under the control that their agents are configured for, or whose version is not supported. */
    static List<String> problems(final JsonNode answer) {
        return answer.path("clusters")
                .valueStream()
                .filter(Findavl::isInService)
                .flatMap(cluster -> Stream.of(
                                sentence(
                                        cluster,
                                        " stays under "
                                                + cluster.path("control").asText() + " control",
                                        "reason"),
                                sentence(cluster, "", "unsupportedVersion"))
                        .flatMap(Optional::stream))
                .map(TerminalText::printable)
                .toList();
    }

    private static Optional<String> sentence(final JsonNode cluster, final String what, final String field) {
        return cluster.hasNonNull(field)
                ? Optional.of(cluster.path("name").asText() + what + ": "
                        + cluster.path(field).asText())
                : Optional.empty();
    }

    /** Why clusters get no jobs, and which services do not decide. */
    static List<String> warnings(final List<JsonNode> unknown, final JsonNode services) {
        final List<String> warnings = new ArrayList<>();
        unknown.forEach(cluster -> warnings.add(cluster.path("name").asText() + " is " + state(cluster) + ": "
                + (cluster.path("availability").path("status").asText("open").equals("open")
                        ? cluster.path("reason").asText()
                        : cluster.path("availability").path("reason").asText())));
        services.path("services").forEach(service -> {
            if (service.path("stalled").asBoolean()) {
                warnings.add(service.path("reason").asText());
            }
        });
        return warnings.stream().map(TerminalText::printable).toList();
    }

    private static int idle(final JsonNode cluster) {
        return cluster.path("free").path("cores").asInt();
    }

    static Table table(final List<JsonNode> available, final List<JsonNode> unknown) {
        final boolean named = available.stream()
                .anyMatch(cluster -> !cluster.path("sitePartitions").isEmpty());
        final Table table = new Table(
                named ? Stream.concat(COLUMNS.stream(), Stream.of(PARTITIONS)).toList() : COLUMNS);
        for (final JsonNode cluster : available) {
            final List<Table.Cell> cells = new ArrayList<>(List.of(
                    new Table.Cell(cluster.path("name").asText()),
                    new Table.Cell(String.valueOf(idle(cluster)), Terminal.Colour.GREEN),
                    new Table.Cell(cluster.path("total").path("cores").asText()),
                    new Table.Cell(jobs(cluster, "running")),
                    new Table.Cell(String.valueOf(count(cluster, "queued") + count(cluster, "held"))),
                    new Table.Cell(cluster.path("control").asText()),
                    new Table.Cell(cluster.path("health").asText()),
                    new Table.Cell(cluster.path("wlm").asText())));
            if (named) {
                cells.add(new Table.Cell(partitions(cluster)));
            }
            table.row(cells);
        }
        for (final JsonNode cluster : unknown) {
            final List<Table.Cell> cells = new ArrayList<>(List.of(
                    new Table.Cell(cluster.path("name").asText()),
                    new Table.Cell("-"),
                    new Table.Cell(cluster.path("total").path("cores").asText()),
                    new Table.Cell("-"),
                    new Table.Cell("-"),
                    new Table.Cell(cluster.path("control").asText()),
                    new Table.Cell(state(cluster), Terminal.Colour.RED),
                    new Table.Cell(cluster.path("wlm").asText())));
            if (named) {
                cells.add(new Table.Cell(partitions(cluster)));
            }
            table.row(cells);
        }
        return table;
    }

    /** The site's names, then the cluster's own that no name of the site means. */
    private static String partitions(final JsonNode cluster) {
        final Set<String> names = new LinkedHashSet<>();
        final Set<String> meant = new HashSet<>();
        cluster.path("sitePartitions").propertyStream().forEach(site -> {
            names.add(site.getKey());
            site.getValue().path("partitions").forEach(partition -> meant.add(partition.asText()));
        });
        cluster.path("partitions")
                .valueStream()
                .map(partition -> partition.path("name").asText())
                .filter(partition -> !meant.contains(partition))
                .forEach(names::add);
        return String.join(",", names);
    }

    private static String jobs(final JsonNode cluster, final String state) {
        return String.valueOf(count(cluster, state));
    }

    private static int count(final JsonNode cluster, final String state) {
        return cluster.path("queue").path(state).path("jobs").asInt();
    }
}
