package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.TerminalText;
import io.millrace.cli.text.WalltimeFormat;
import java.time.Duration;
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

/** Shows partitions as Slurm does. */
@Command(
        name = "sinfo",
        versionProvider = SlurmVersion.class,
        sortOptions = false,
        description =
                "Shows the partitions of all clusters in the formats of Slurm. NODELIST is the name of the cluster.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failure"})
public final class Sinfo implements Callable<Integer> {

    /** The format of a federation. */
    private static final String USUAL = "%9P %8V %.5a %.10l %.6D %.6t %N";

    private static final String SUMMARY = "%9P %8V %.5a %.10l %.16F %N";
    private static final String LONG = "%9P %8V %.5a %.10l %.10s %.4r %.8h %.10g %.6D %.11T %N";

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "PARTITIONS",
            description = "only these partitions")
    @Nullable
    List<String> partitions;

    @Option(
            names = {"-n", "--nodes"},
            paramLabel = "CLUSTERS",
            description = "only these clusters")
    @Nullable
    List<String> nodes;

    @Option(
            names = {"-t", "--states"},
            paramLabel = "STATES",
            description = "only partitions in these states: idle, mixed, allocated, down")
    @Nullable
    List<String> states;

    @Option(
            names = {"-o", "--format"},
            paramLabel = "FORMAT",
            description = "such as %%P %%.5D %%t, see sinfo(1)")
    @Nullable
    String format;

    @Option(
            names = {"-O", "--Format"},
            paramLabel = "FIELDS",
            description = "such as Partition:12,Nodes, see sinfo(1)")
    @Nullable
    String fields;

    @Option(
            names = {"-h", "--noheader"},
            description = "no headings")
    boolean noHeader;

    @Option(
            names = {"-s", "--summarize"},
            description = "counts of nodes")
    boolean summary;

    @Option(
            names = {"-l", "--long"},
            description = "more columns")
    boolean wide;

    @Option(names = "--json", description = "JSON")
    boolean json;

    @Option(
            names = {
                "-a",
                "--all",
                "-d",
                "--dead",
                "-e",
                "--exact",
                "-r",
                "--responding",
                "-N",
                "--Node",
                "--hide",
                "--federation",
                "--local",
                "--noconvert"
            },
            hidden = true)
    boolean[] noEffect = new boolean[0];

    private final Map<String, String> environment;

    public Sinfo(final Map<String, String> environment) {
        this.environment = environment;
    }

    /** A partition of a cluster. */
    record Part(JsonNode cluster, JsonNode partition) {

        private static final List<SlurmColumn<Part>> COLUMNS = List.of(
                column(
                        "Partition",
                        'P',
                        "PARTITION",
                        part -> part.name() + (part.partition.path("isDefault").asBoolean() ? "*" : "")),
                column("PartitionName", 'R', "PARTITION", Part::name),
                column("Cluster", 'V', "CLUSTER", Part::clusterName),
                column("Available", 'a', "AVAIL", part -> part.isUp() ? "up" : "down"),
                column("Time", 'l', "TIMELIMIT", Part::limit),
                column("DefaultTime", 'L', "DEFAULTTIME", part -> "n/a"),
                column("Nodes", 'D', "NODES", part -> Long.toString(part.nodes())),
                column("NodeAIOT", 'F', "NODES(A/I/O/T)", Part::nodesByState),
                column("NodeAI", 'A', "NODES(A/I)", part -> part.nodesByState().replaceFirst("/\\d+/\\d+$", "")),
                column(
                        "StateCompact",
                        't',
                        "STATE",
                        part -> part.state().replace("ated", "").replace("mixed", "mix")),
                column("StateLong", 'T', "STATE", Part::state),
                column("NodeList", 'N', "NODELIST", Part::clusterName),
                column("NodeHost", 'n', "HOSTNAMES", Part::clusterName),
                column("CPUs", 'c', "CPUS", part -> Long.toString(part.perNode("cores"))),
                column("CPUsState", 'C', "CPUS(A/I/O/T)", Part::cores),
                column("Memory", 'm', "MEMORY", part -> Long.toString(part.perNode("memoryMib"))),
                column(
                        "FreeMem",
                        'e',
                        "FREE_MEM",
                        part -> part.cluster.path("free").path("memoryMib").asText("0")),
                column(
                        "Gres",
                        'G',
                        "GRES",
                        part -> part.perNode("gpus") == 0 ? "(null)" : "gpu:" + part.perNode("gpus")),
                column("Features", 'f', "AVAIL_FEATURES", Part::features),
                column(
                        "Reason",
                        'E',
                        "REASON",
                        part -> TerminalText.printable(
                                part.cluster.path("reason").asText("none"))),
                column("Size", 's', "JOB_SIZE", part -> "1-infinite"),
                column("Root", 'r', "ROOT", part -> "no"),
                column("OverSubscribe", 'h', "OVERSUBS", part -> "NO"),
                column("Groups", 'g', "GROUPS", part -> "all"),
                column("PriorityTier", 'p', "PRIO_TIER", part -> "1"),
                column("Disk", 'd', "TMP_DISK", part -> "0"),
                column("CPUsLoad", 'O', "CPU_LOAD", part -> "N/A"),
                column("SocketCoreThread", 'z', "S:C:T", part -> "1:" + part.perNode("cores") + ":1"));

        private static SlurmColumn<Part> column(
                final String name, final char letter, final String heading, final Function<Part, String> value) {
            return new SlurmColumn<>(name, letter, heading, 0, value);
        }

        String name() {
            return TerminalText.printable(partition.path("name").asText());
        }

        String clusterName() {
            return cluster.path("name").asText();
        }

        boolean isUp() {
            return partition.path("open").asBoolean()
                    && cluster.path("health").asText().equals("answering");
        }

        String limit() {
            return partition.hasNonNull("walltimeLimit")
                    ? WalltimeFormat.format(
                            Duration.parse(partition.path("walltimeLimit").asText()))
                    : "infinite";
        }

        private long total(final String resource) {
            return cluster.path("total").path(resource).asLong();
        }

        private long perNode(final String resource) {
            return total(resource) / Math.max(1, total("nodes"));
        }

        long nodes() {
            return Math.min(
                    total("nodes"), Math.ceilDiv(partition.path("cores").asLong(), Math.max(1, perNode("cores"))));
        }

        private long idleCores() {
            return Math.min(
                    partition.path("cores").asLong(),
                    cluster.path("free").path("cores").asLong());
        }

        String state() {
            if (!isUp()) {
                return "down";
            }
            final long idle = idleCores();
            return idle == 0 ? "allocated" : idle < partition.path("cores").asLong() ? "mixed" : "idle";
        }

        String nodesByState() {
            final long idle = isUp()
                    ? Math.min(nodes(), cluster.path("free").path("nodes").asLong())
                    : 0;
            return isUp() ? nodes() - idle + "/" + idle + "/0/" + nodes() : "0/0/" + nodes() + "/" + nodes();
        }

        String cores() {
            final long all = partition.path("cores").asLong();
            final long idle = idleCores();
            return isUp() ? all - idle + "/" + idle + "/0/" + all : "0/0/" + all + "/" + all;
        }

        private String features() {
            final List<String> names = new ArrayList<>();
            cluster.path("features").properties().forEach(feature -> names.add(feature.getKey()));
            return names.isEmpty() ? "(null)" : TerminalText.printable(String.join(",", names));
        }
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        final List<String> wantedStates = JobLookup.words(states);
        final List<Part> parts = parts(api);
        parts.removeIf(part ->
                wantedStates.stream().noneMatch(word -> part.state().startsWith(word.toLowerCase(Locale.ROOT)))
                        && !wantedStates.isEmpty());
        if (json) {
            Printer.block(SlurmJson.document("sinfo", "sinfo", json(parts)));
            return ExitCode.OK;
        }
        final SlurmFormat<Part> shown = fields != null
                ? SlurmFormat.names(fields, Part.COLUMNS)
                : SlurmFormat.letters(
                        format != null
                                ? format
                                : wide ? LONG : summary ? SUMMARY : environment.getOrDefault("SINFO_FORMAT", USUAL),
                        Part.COLUMNS);
        shown.lines(parts, !noHeader).forEach(Printer::out);
        return ExitCode.OK;
    }

    private List<Part> parts(final ApiClient api) throws CommandException {
        final List<String> wanted = JobLookup.words(partitions);
        final List<String> on = new ArrayList<>(common.clusters());
        on.addAll(JobLookup.words(nodes));
        final List<Part> parts = new ArrayList<>();
        for (final JsonNode cluster : api.get("/clusters").path("clusters")) {
            for (final JsonNode partition : cluster.path("partitions")) {
                if (JobLookup.field("name", on).test(cluster)
                        && JobLookup.field("name", wanted).test(partition)) {
                    parts.add(new Part(cluster, partition));
                }
            }
        }
        return parts;
    }

    private static ArrayNode json(final List<Part> parts) {
        final ArrayNode all = Json.object().putArray("sinfo");
        for (final Part part : parts) {
            final ObjectNode json = all.addObject().put("cluster", part.clusterName());
            json.putObject("partition").put("name", part.name());
            json.putObject("node").putArray("state").add(part.state().toUpperCase(Locale.ROOT));
            final String[] nodes = part.nodesByState().split("/");
            final String[] cores = part.cores().split("/");
            final List<String> names = List.of("allocated", "idle", "other", "total");
            final ObjectNode nodeCounts = json.putObject("nodes");
            final ObjectNode coreCounts = json.putObject("cpus");
            for (int i = 0; i < names.size(); i++) {
                nodeCounts.put(names.get(i), Long.parseLong(nodes[i]));
                coreCounts.put(names.get(i), Long.parseLong(cores[i]));
            }
        }
        return all;
    }
}
