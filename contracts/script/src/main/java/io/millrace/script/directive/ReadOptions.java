package io.millrace.script.directive;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The options of a script, or of a command line, so far. As for the workload managers, an option replaces an earlier one of the same name. */
final class ReadOptions {

    /** Options that add to earlier ones: resource requirements of LSF must all be met, and PBS sets all variables. */
    private static final Set<String> ADDED = Set.of("-R", "-v");

    /** A job that forgets one of two dependencies starts too early. */
    private static final Set<String> DEPENDENCIES = Set.of("--dependency", "-W depend", "-w");

    /** Resources of PBS: PBS Pro uses the first value, Torque the last. */
    private static final String RESOURCE = "-l ";

    /** @param name the canonical one */
    record Named(String name, ScriptOption option) {

        JobSetting setting() {
            return option.setting();
        }

        boolean isNamedAs(final Named other) {
            return name.equals(other.name) && option.dialect() == other.option.dialect();
        }
    }

    private final List<Named> all = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /** @param read the settings of one option, which are all of the same line */
    void add(final String name, final List<ScriptOption> read) throws DirectiveSyntaxException {
        final List<Named> added =
                read.stream().map(option -> new Named(name, option)).toList();
        if (!added.isEmpty() && !ADDED.contains(name)) {
            final List<Named> earlier = all.stream()
                    .filter(option -> option.isNamedAs(added.getFirst()))
                    .toList();
            if (!earlier.isEmpty() && settings(earlier).equals(settings(added))) {
                return;
            }
            if (!earlier.isEmpty()) {
                replace(earlier, name, read.getFirst().line());
            }
        }
        all.addAll(added);
    }

    private void replace(final List<Named> earlier, final String name, final int line) throws DirectiveSyntaxException {
        final ScriptOption first = earlier.getFirst().option();
        final String where = first.isOfCommandLine() ? "option " + first.text() : "line " + first.line();
        if (name.startsWith(RESOURCE)) {
            throw new DirectiveSyntaxException(where
                    + " has another value for it, and PBS workload managers differ in which of them they use;"
                    + " keep one");
        }
        if (DEPENDENCIES.contains(name)) {
            throw new DirectiveSyntaxException(
                    where + " has another dependency, and workload managers keep only one; join them in one option");
        }
        all.removeAll(earlier);
        remarks.add(first.where() + ": replaced by "
                + (line == ScriptOption.COMMAND_LINE ? "a later option" : "line " + line));
    }

    /** Memory (in sbatch, which refuses it) or GPUs that two options request in different ways: only one of them would count. */
    Optional<InvalidDirective> contradiction() {
        return Stream.of(Dialect.values())
                .flatMap(dialect -> Stream.of(JobSetting.Gpus.class, JobSetting.Memory.class)
                        .filter(kind -> kind == JobSetting.Gpus.class || dialect == Dialect.SLURM)
                        .map(kind -> all.stream()
                                .filter(of -> of.option().dialect() == dialect && kind.isInstance(of.setting()))
                                .toList()))
                .filter(same -> settings(same).stream().distinct().count() > 1)
                .findFirst()
                .map(same ->
                        contradiction(same.getFirst().option(), same.getLast().option()));
    }

    private static InvalidDirective contradiction(final ScriptOption first, final ScriptOption last) {
        return InvalidDirective.of(
                first.line(),
                first.dialect(),
                first.text(),
                "'" + last.text() + "'" + (last.isOfCommandLine() ? "" : " in line " + last.line())
                        + " requests the same in another way; keep one of them");
    }

    private static List<JobSetting> settings(final List<Named> options) {
        return options.stream().map(Named::setting).toList();
    }

    List<Named> all() {
        return all;
    }

    List<String> remarks() {
        return remarks;
    }
}
