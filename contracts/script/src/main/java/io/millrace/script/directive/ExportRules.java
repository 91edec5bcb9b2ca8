package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.VariableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which variables of the submitting shell a job gets: {@code --export}, {@code -v}, {@code -V} and {@code -env}. Only the program that
 * submits a job can read them.
 */
public final class ExportRules {

    /** A variable of jobs whose submission has applied the rules; {@code ALL} or {@code NONE}. */
    public static final String APPLIED = "MILLRACE_EXPORT";

    /** These describe the machine or the session of the submitting shell, and would be wrong on another cluster. */
    private static final Set<String> LOCAL = Set.of(
            ("HOME USER LOGNAME SHELL PWD OLDPWD SHLVL _ TERM COLUMNS LINES TMPDIR HOSTNAME HOST HOSTTYPE MACHTYPE"
                            + " OSTYPE MAIL DISPLAY WAYLAND_DISPLAY XAUTHORITY WINDOWID LS_COLORS PS1 BASH_ENV ENV PATH"
                            + " LD_LIBRARY_PATH MANPATH INFOPATH MODULEPATH MODULESHOME LOADEDMODULES _LMFILES_ KRB5CCNAME")
                    .split(" "));

    private static final Pattern LOCAL_FAMILIES =
            Pattern.compile("(SSH|XDG|DBUS|SUDO|SLURM|SLURMD|PBS|LSB|LSF|LS|LMOD|_*LMOD|MILLRACE)_.*");

    /** The log keeps the variables of a job. */
    private static final Pattern SECRET = Pattern.compile(".*(PASSWORD|PASSWD|SECRET|TOKEN).*");

    private ExportRules() {}

    /**
     * The rules of an option.
     *
     * @param text as of {@code sbatch --export}: {@code ALL}, {@code NONE}, names and {@code NAME=value}, separated by commas
     * @throws IllegalArgumentException if they are invalid, with the reason
     */
    public static JobSetting.Environment of(final String text) {
        try {
            return SlurmOptions.export(text);
        } catch (final DirectiveSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The rules in the directives of a script; empty if there are none. */
    public static Optional<JobSetting.Environment> ofScript(final String script) {
        final ParsedScript read = ScriptParser.read(script);
        return read.of(read.leadingDialect()).stream()
                .map(ScriptOption::setting)
                .filter(JobSetting.Environment.class::isInstance)
                .map(JobSetting.Environment.class::cast)
                .reduce(ExportRules::merged);
    }

    private static JobSetting.Environment merged(
            final JobSetting.Environment first, final JobSetting.Environment second) {
        final Map<String, String> set = new TreeMap<>(first.set());
        set.putAll(second.set());
        return new JobSetting.Environment(
                set,
                both(first.copied(), second.copied()),
                first.all() || second.all(),
                both(first.excluded(), second.excluded()));
    }

    private static List<String> both(final List<String> first, final List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /**
     * The variables that a job gets from these rules. {@code ALL} leaves out those that describe the machine or the session, and those
     * whose name indicates a secret, unless they are named.
     *
     * @param shell variables of the submitting shell
     */
    public static Map<String, String> applied(final JobSetting.Environment rules, final Map<String, String> shell) {
        final Map<String, String> variables = new TreeMap<>();
        if (rules.all()) {
            variables.putAll(shell.entrySet().stream()
                    .filter(variable -> isPortable(variable.getKey()))
                    .filter(variable -> !rules.excluded().contains(variable.getKey()))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        }
        rules.copied().stream().filter(shell::containsKey).forEach(name -> variables.put(name, shell.get(name)));
        variables.putAll(rules.set());
        variables.put(APPLIED, rules.all() ? "ALL" : "NONE");
        return variables;
    }

    private static boolean isPortable(final String name) {
        return VariableName.isValid(name)
                && !LOCAL.contains(name)
                && !LOCAL_FAMILIES.matcher(name).matches()
                && !SECRET.matcher(name).matches();
    }
}
