package io.millrace.quota.files;

import io.millrace.model.command.Preemption.Mode;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.preemption.ReclaimDelay;
import io.millrace.yaml.Figures;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Reads how victims may leave their cores and the table of delays. A file with an error is refused as a whole, with line and
 * column.
 */
public final class PreemptionFile {

    /** What stands in it. */
    public record Rules(PreemptModePolicy modes, List<ReclaimDelay> delays) {
        public static final Rules DEFAULT = new Rules(PreemptModePolicy.DEFAULT, List.of());
    }

    private static final String EXPECTED = "'preemption:' with 'modes', 'restart-cost' or 'delays'";
    private static final String ROW =
            "a row of delays: 'delay', 'per-core', 'longest', 'cores', 'waited', 'class' or 'urgency'";
    private static final Pattern CORES = Pattern.compile("(\\d{1,9})(?:(-)(\\d{1,9})?)?");
    private static final Duration UNBOUNDED = Duration.ofDays(999_999);

    private final MarkedYaml yaml;
    private List<Mode> modes = PreemptModePolicy.DEFAULT.allowed();
    private Duration restartCost = PreemptModePolicy.DEFAULT.restartCost();
    private List<ReclaimDelay> delays = List.of();

    private PreemptionFile(final MarkedYaml yaml) {
        this.yaml = yaml;
    }

    /** @throws IllegalArgumentException if the file cannot be read or holds an error; says where */
    public static Rules read(final Path path) {
        final MarkedYaml yaml = new MarkedYaml("preemption file " + path);
        return yaml.root(path).map(new PreemptionFile(yaml)::readRoot).orElse(Rules.DEFAULT);
    }

    private Rules readRoot(final Node root) {
        for (final NodeTuple section : yaml.entries(root, EXPECTED)) {
            if (!yaml.text(section.getKeyNode(), EXPECTED).equals("preemption")) {
                throw unknown(section.getKeyNode(), EXPECTED);
            }
            yaml.entries(section.getValueNode(), EXPECTED).forEach(this::readRule);
        }
        return new Rules(yaml.checked(root, () -> new PreemptModePolicy(modes, restartCost)), delays);
    }

    private void readRule(final NodeTuple rule) {
        final Node value = rule.getValueNode();
        switch (yaml.text(rule.getKeyNode(), EXPECTED)) {
            case "modes" -> modes = modes(value);
            case "restart-cost" -> restartCost = read(value, Figures::span);
            case "delays" -> delays = yaml.items(value).stream().map(this::row).toList();
            default -> throw unknown(rule.getKeyNode(), EXPECTED);
        }
    }

    private List<Mode> modes(final Node node) {
        final List<Mode> read = yaml.items(node).stream()
                .map(item -> read(item, PreemptionFile::mode))
                .toList();
        yaml.checked(node, () -> new PreemptModePolicy(read, restartCost));
        return read;
    }

    private static Mode mode(final String word) {
        return Arrays.stream(Mode.values())
                .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + word + "' is no way to leave the cores: suspend, checkpoint or requeue"));
    }

    private ReclaimDelay row(final Node node) {
        final Row row = new Row();
        yaml.entries(node, ROW).forEach(cell -> readCell(cell, row));
        if (row.delay == null) {
            throw yaml.wrong(node, "this row does not say its 'delay'");
        }
        final Duration delay = row.delay;
        return yaml.checked(
                node,
                () -> new ReclaimDelay(
                        row.cores.from,
                        row.cores.to,
                        row.waited,
                        row.ofClass,
                        row.urgency,
                        delay,
                        row.perCore,
                        row.longest));
    }

    private void readCell(final NodeTuple cell, final Row row) {
        final Node value = cell.getValueNode();
        switch (yaml.text(cell.getKeyNode(), ROW)) {
            case "cores" -> row.cores = read(value, PreemptionFile::cores);
            case "waited" -> row.waited = read(value, Figures::span);
            case "class" -> row.ofClass = read(value, PreemptionFile::name);
            case "urgency" -> row.urgency = read(value, PreemptionFile::name);
            case "delay" -> row.delay = read(value, Figures::span);
            case "per-core" -> row.perCore = read(value, Figures::span);
            case "longest" -> row.longest = read(value, Figures::span);
            default -> throw unknown(cell.getKeyNode(), ROW);
        }
    }

    private static String name(final String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a name is missing here");
        }
        return text;
    }

    /** The row as it is read. */
    private static final class Row {
        private Range cores = new Range(0, Integer.MAX_VALUE);
        private Duration waited = Duration.ZERO;
        private @Nullable String ofClass;
        private @Nullable String urgency;
        private @Nullable Duration delay;
        private Duration perCore = Duration.ZERO;
        private Duration longest = UNBOUNDED;
    }

    private record Range(int from, int to) {}

    private static Range cores(final String text) {
        final Matcher range = CORES.matcher(text.replace(" ", ""));
        if (!range.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no range of cores such as 64, 64-128 or 64-");
        }
        final int from = Integer.parseInt(range.group(1));
        if (range.group(2) == null) {
            return new Range(from, from);
        }
        return new Range(from, range.group(3) == null ? Integer.MAX_VALUE : Integer.parseInt(range.group(3)));
    }

    private <T> T read(final Node node, final Function<String, T> reader) {
        return yaml.read(node, EXPECTED, reader);
    }

    private IllegalArgumentException unknown(final Node key, final String expected) {
        return yaml.wrong(key, "'" + yaml.text(key, expected) + "' is not known; expected " + expected);
    }
}
