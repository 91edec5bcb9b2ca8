package io.millrace.classifier.domain.extraction;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a job script reveals without running it. Reads commands line by line; programs that are started through variables or other scripts
 * are not found.
 *
 * @param programs names of the started programs, without folders, shell commands and launchers
 * @param modules modules that are loaded, as they are written
 * @param interpreter {@code python}, {@code perl}, {@code R}…; null if no interpreter other than a shell is started
 * @param mpi whether a program is started by an MPI launcher
 * @param threads whether several threads are configured
 */
record ScriptFacts(
        Set<String> programs, Set<String> modules, @Nullable String interpreter, boolean mpi, boolean threads) {

    private static final Set<String> MPI_LAUNCHERS =
            Set.of("mpirun", "mpiexec", "mpiexec.hydra", "orterun", "srun", "aprun", "jsrun", "prun", "ibrun");
    private static final Set<String> WRAPPERS =
            Set.of("time", "exec", "nohup", "env", "nice", "numactl", "taskset", "command", "then", "do", "else", "!");
    private static final Set<String> SHELL_WORDS = Set.of(
            "if",
            "fi",
            "for",
            "while",
            "until",
            "done",
            "case",
            "esac",
            "elif",
            "function",
            "{",
            "}",
            "cd",
            "echo",
            "export",
            "unset",
            "set",
            "source",
            ".",
            "ulimit",
            "mkdir",
            "rmdir",
            "cp",
            "mv",
            "rm",
            "ln",
            "cat",
            "test",
            "[",
            "[[",
            "date",
            "sleep",
            "wait",
            "exit",
            "return",
            "shift",
            "trap",
            "hostname",
            "pwd",
            "printf",
            "touch",
            "chmod",
            "tar",
            "gzip",
            "gunzip",
            "true",
            "false",
            ":",
            "local",
            "read",
            "eval",
            "umask",
            "sync");
    /** Options of launchers whose value is the next word. */
    private static final Set<String> OPTIONS_WITH_VALUE = Set.of(
            "-n",
            "-np",
            "-N",
            "-c",
            "-t",
            "-p",
            "-x",
            "-H",
            "-host",
            "--host",
            "-hostfile",
            "--hostfile",
            "-machinefile",
            "--machinefile",
            "-map-by",
            "--map-by",
            "-bind-to",
            "--bind-to",
            "-ppn",
            "-perhost",
            "-d",
            "-a",
            "-r",
            "-w",
            "-o",
            "-e",
            "-m",
            "-i",
            "-u",
            "--mca");

    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*");
    private static final Pattern SEPARATOR = Pattern.compile("&&|\\|\\||[;|&]");
    private static final Pattern MODULES =
            Pattern.compile("(?m)^[ \\t]*+(?:module\\s+(?:-s\\s+)?(?:load|add)|ml(?:\\s+load)?)\\s+([^;&|#\\n]+)");
    private static final Pattern INTERPRETER =
            Pattern.compile("(python|perl|Rscript|R|julia|ruby|matlab|octave|java|node)[\\d.]*");
    private static final Pattern THREADS = Pattern.compile(
            "(?m)(?:(?:OMP|MKL|OPENBLAS)_NUM_THREADS=(?:[2-9]|1\\d|\\$)|^#SBATCH\\s+(?:-c\\s*|--cpus-per-task[= ])(?:[2-9]|1\\d))");

    ScriptFacts {
        programs = Set.copyOf(programs);
        modules = Set.copyOf(modules);
    }

    static ScriptFacts of(final String script) {
        final Set<String> programs = new LinkedHashSet<>();
        boolean mpi = false;
        for (final String line : script.replace("\\\n", " ").lines().toList()) {
            if (line.isBlank() || line.strip().startsWith("#")) {
                continue;
            }
            for (final String command : SEPARATOR.split(line)) {
                final List<String> words = List.of(command.strip().split("\\s+"));
                mpi |= words.stream().map(ScriptFacts::baseName).anyMatch(MPI_LAUNCHERS::contains);
                program(words).ifPresent(programs::add);
            }
        }
        return new ScriptFacts(
                programs,
                modules(script),
                interpreter(script, programs),
                mpi,
                THREADS.matcher(script).find());
    }

    private static Optional<String> program(final List<String> words) {
        boolean launched = false;
        String before = "";
        for (final String word : words) {
            final String name = baseName(word);
            final boolean skipped = ASSIGNMENT.matcher(word).matches()
                    || WRAPPERS.contains(word)
                    || launched && (word.startsWith("-") || OPTIONS_WITH_VALUE.contains(before));
            before = word;
            if (MPI_LAUNCHERS.contains(name)) {
                launched = true;
            } else if (!skipped) {
                return isProgram(name) ? Optional.of(name) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean isProgram(final String name) {
        return !SHELL_WORDS.contains(name)
                && !name.equals("module")
                && !name.equals("ml")
                && name.matches("[A-Za-z0-9_][\\w.+-]*");
    }

    private static Set<String> modules(final String script) {
        final Set<String> modules = new LinkedHashSet<>();
        final Matcher loads = MODULES.matcher(script);
        while (loads.find()) {
            for (final String module : loads.group(1).strip().split("\\s+")) {
                if (!module.startsWith("-")) {
                    modules.add(module);
                }
            }
        }
        return modules;
    }

    private static @Nullable String interpreter(final String script, final Set<String> programs) {
        final String firstLine = script.lines().findFirst().orElse("");
        final String shebang = firstLine.startsWith("#!") ? shebang(firstLine) : "";
        for (final String program : concat(shebang, programs)) {
            final Matcher known = INTERPRETER.matcher(program);
            if (known.matches()) {
                return known.group(1).equals("Rscript") ? "R" : known.group(1);
            }
        }
        return null;
    }

    /** The interpreter that {@code #!/usr/bin/env python3} or {@code #!/usr/bin/perl -w} names. */
    private static String shebang(final String firstLine) {
        for (final String word : firstLine.substring("#!".length()).strip().split("\\s+")) {
            final String name = baseName(word);
            if (!name.equals("env") && !name.startsWith("-")) {
                return name;
            }
        }
        return "";
    }

    private static List<String> concat(final String first, final Set<String> others) {
        final List<String> all = new ArrayList<>(others);
        all.addFirst(first);
        return all;
    }

    private static String baseName(final String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
