package io.millrace.script.wrapper;

import io.millrace.script.Dialect;
import io.millrace.script.WlmType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands of another workload manager in a script, which may be missing on the target cluster. */
public final class ForeignCommands {

    private static final Map<Dialect, String> COMMANDS = new TreeMap<>(Map.of(
            Dialect.SLURM, "srun|sbcast|sbatch|salloc|scontrol|squeue|sacct|scancel|sstat|sattach",
            Dialect.PBS, "pbsdsh|pbs_tmrsh|qsub|qstat|qdel|qalter|qhold|qrls|pbsnodes",
            Dialect.LSF, "blaunch|bsub|bjobs|bkill|bmod|bstop|bresume|lsrun|lsgrun|jsrun|mpirun\\.lsf"));

    private ForeignCommands() {}

    /** A remark for each command, with its line and the remedy. */
    public static List<String> find(final String script, final WlmType target) {
        final List<String> remarks = new ArrayList<>();
        COMMANDS.forEach((dialect, names) -> {
            if (dialect != target.dialect()) {
                of(script, dialect, names, target, remarks);
            }
        });
        return remarks;
    }

    private static void of(
            final String script,
            final Dialect dialect,
            final String names,
            final WlmType target,
            final List<String> remarks) {
        final Pattern command =
                Pattern.compile("(?:^|[|&;({`]\\s*|\\$\\(\\s*|\\b(?:exec|time|then|do|else|if|while)\\s+)" + "(" + names
                        + ")(?=\\s|$)");
        final String[] lines = script.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            final String line = lines[i].strip();
            final Matcher m = command.matcher(line);
            if (!line.startsWith("#") && m.find()) {
                remarks.add("line " + (i + 1) + ": " + m.group(1) + " is a " + dialect.displayName()
                        + " command and may not be available on " + target.displayName() + remedy(m.group(1)));
            }
        }
    }

    private static String remedy(final String command) {
        return switch (command) {
            case "srun", "pbsdsh", "blaunch", "jsrun", "mpirun.lsf" -> "; use mpirun, which works on every cluster";
            default -> "";
        };
    }
}
