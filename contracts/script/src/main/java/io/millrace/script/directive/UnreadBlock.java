package io.millrace.script.directive;

import io.millrace.script.ScriptOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Successive directives of a workload manager that Millrace does not read.
 *
 * @param lines as written
 */
public record UnreadBlock(Unread of, int firstLine, int lastLine, List<String> lines) {

    /** The workload managers, with what their directives look like. */
    public enum Unread {
        GRID_ENGINE("Grid Engine", "#\\$\\s*-.*", true),
        MOAB("Moab", "#MSUB\\b.*", true),
        COBALT("Cobalt", "#COBALT\\b.*", true),
        FUJITSU("Fujitsu TCS", "#PJM\\b.*", true),
        OAR("OAR", "#OAR\\b.*", true),
        FLUX("Flux", "#\\s*(flux|FLUX):.*", true),
        LOADLEVELER("LoadLeveler", "#\\s*@\\s*(queue|\\w+\\s*=.*)", true),
        NQS("NQS", "#(QSUB|@\\$).*", true),
        DONAU("Huawei Donau", "#DSUB\\b.*", true),
        HYPERQUEUE("HyperQueue", "#HQ\\s.*", true),
        DATAWARP("Cray DataWarp", "#DW\\b.*", false),
        BURST_BUFFER("the burst buffers of Slurm", "#BB\\b.*", false);

        private final String displayName;
        private final Pattern directive;
        private final boolean setsSize;

        Unread(final String words, final String directive, final boolean setsSize) {
            this.displayName = words;
            this.directive = Pattern.compile(directive);
            this.setsSize = setsSize;
        }

        /** The workload manager of a line; empty if it is none of its directives. */
        static Optional<Unread> of(final String line) {
            for (final Unread each : values()) {
                if (each.directive.matcher(line).matches()) {
                    return Optional.of(each);
                }
            }
            return Optional.empty();
        }
    }

    public UnreadBlock {
        lines = List.copyOf(lines);
    }

    /** Whether its directives can set the size of the job. */
    public boolean setsSize() {
        return of.setsSize;
    }

    /** The sentence for the owner of the script. */
    @Override
    public String toString() {
        final boolean one = firstLine == lastLine;
        return (one ? "line " + firstLine : "lines " + firstLine + " to " + lastLine) + ": "
                + ScriptOption.shortened(
                        lines.stream().map(line -> "'" + line + "'").collect(Collectors.joining(", ")))
                + (one ? " is a directive of " : " are directives of ")
                + of.displayName
                + (one ? ", which is not read" : ", which are not read")
                + "; use #SBATCH, #PBS or #BSUB lines, or options of mgsub";
    }
}
