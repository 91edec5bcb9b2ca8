package io.millrace.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the result of a dry run: the job that would be submitted, then the result for each cluster. */
public final class DryRunText {

    private static final List<String> BYTES = List.of("B", "kB", "MB", "GB", "TB");

    private final JsonNode found;
    private final Terminal terminal;

    public DryRunText(final JsonNode found, final Terminal terminal) {
        this.found = found;
        this.terminal = terminal;
    }

    public int exitCode() {
        for (final JsonNode cluster : found.path("clusters")) {
            if (cluster.path("verdict").asText().equals("accepted")) {
                return ExitCode.OK;
            }
        }
        return ExitCode.FAILED;
    }

    public List<String> lines() {
        final List<String> lines = new ArrayList<>();
        lines.add(job(found.path("job")));
        found.path("notes").forEach(note -> lines.add("  note: " + text(note)));
        if (found.has("inputs")) {
            lines.add(inputs(found.path("inputs")));
        }
        if (found.path("clusters").isEmpty()) {
            lines.add("no clusters are known");
        }
        found.path("clusters").forEach(cluster -> {
            lines.add("");
            cluster(cluster, lines);
        });
        return lines;
    }

    private static String job(final JsonNode job) {
        final StringBuilder line = new StringBuilder("job '" + text(job.path("name")) + "': ");
        line.append(counted(job.path("cores").asLong(), "core"));
        if (job.path("nodes").asInt() > 0) {
            line.append(" on ").append(counted(job.path("nodes").asLong(), "node"));
        }
        if (job.path("memoryMib").asLong() > 0) {
            line.append(", ").append(job.path("memoryMib").asLong()).append(" MiB");
        }
        if (job.path("gpus").asInt() > 0) {
            line.append(", ").append(counted(job.path("gpus").asLong(), "GPU"));
        }
        line.append(", walltime ")
                .append(WalltimeFormat.format(job.path("walltime").asText()));
        for (final String field : List.of("partition", "project")) {
            if (job.hasNonNull(field)) {
                line.append(", ")
                        .append(field)
                        .append(" '")
                        .append(text(job.path(field)))
                        .append('\'');
            }
        }
        return line.toString();
    }

    private static String inputs(final JsonNode inputs) {
        if (inputs.hasNonNull("unknown")) {
            return "files to copy to another cluster: unknown: " + text(inputs.path("unknown"));
        }
        final double bytes = inputs.path("bytes").asDouble();
        final int unit = bytes < 1000 ? 0 : Math.min(BYTES.size() - 1, (int) (Math.log10(bytes) / 3));
        return String.format(
                Locale.ROOT,
                "files to copy to another cluster: %s, %." + (unit == 0 ? 0 : 1) + "f %s",
                counted(inputs.path("files").asLong(), "file"),
                bytes / Math.pow(1000, unit),
                BYTES.get(unit));
    }

    private static String counted(final long count, final String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private void cluster(final JsonNode cluster, final List<String> lines) {
        final String verdict = cluster.path("verdict").asText();
        final String head = text(cluster.path("cluster"))
                + (cluster.hasNonNull("wlm") ? " (" + text(cluster.path("wlm")) + ")" : "") + ": ";
        final String reason = cluster.hasNonNull("reason") ? ": " + text(cluster.path("reason")) : "";
        lines.add(head + terminal.coloured(verdict, colour(verdict)) + reason);
        if (!cluster.path("command").isEmpty()) {
            final List<String> words = new ArrayList<>();
            cluster.path("command").forEach(word -> words.add(quoted(word.asText())));
            lines.addAll(folded(words));
        }
        cluster.path("ignoredOptions")
                .forEach(option ->
                        lines.add("  " + terminal.coloured("ignored", Terminal.Colour.YELLOW) + ": " + text(option)));
        final List<String> shown = new ArrayList<>();
        found.path("notes").forEach(note -> shown.add(text(note)));
        cluster.path("notes").forEach(note -> {
            // Notes for every cluster and the reason of a refusal are already shown.
            if (!shown.contains(text(note)) && !text(note).startsWith("it would be refused")) {
                lines.add("  note: " + text(note));
            }
        });
    }

    private static Terminal.Colour colour(final String verdict) {
        return switch (verdict) {
            case "accepted" -> Terminal.Colour.GREEN;
            case "refused" -> Terminal.Colour.RED;
            default -> Terminal.Colour.YELLOW;
        };
    }

    /** Wraps a command line to the width of the terminal and indents the continuation lines. */
    private List<String> folded(final List<String> words) {
        final int width = terminal.columns() > 40 ? terminal.columns() - 2 : 100;
        final List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder("  " + words.getFirst());
        for (final String word : words.subList(1, words.size())) {
            if (TerminalText.width(line.toString()) + 1 + TerminalText.width(word) > width) {
                lines.add(line + " \\");
                line = new StringBuilder("      ").append(word);
            } else {
                line.append(' ').append(word);
            }
        }
        lines.add(line.toString());
        return lines;
    }

    /** Quotes a word for the shell. */
    private static String quoted(final String word) {
        final String shown = TerminalText.printable(word);
        return shown.matches("[\\p{L}\\p{N}_@%+=:,./\\[\\]-]+") ? shown : "'" + shown.replace("'", "'\\''") + "'";
    }

    private static String text(final JsonNode node) {
        return TerminalText.printable(node.asText());
    }
}
