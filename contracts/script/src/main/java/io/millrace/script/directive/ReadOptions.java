package io.millrace.script.directive;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The options of a script so far. As for the workload managers, an option replaces an earlier one of the same name. */
final class ReadOptions {

    /** Options that add to earlier ones: resource requirements of LSF must all be met, and PBS sets all variables. */
    private static final Set<String> ADDED = Set.of("-R", "-v");

    /** A job that forgets one of two dependencies starts too early. */
    private static final Set<String> DEPENDENCIES = Set.of("--dependency", "-W depend", "-w");

    /** Resources of PBS: PBS Pro uses the first value, Torque the last. */
    private static final String RESOURCE = "-l ";

    private record Key(Dialect dialect, String name) {}

    private final List<ScriptOption> all = new ArrayList<>();
    private final Map<Key, List<ScriptOption>> byName = new HashMap<>();
    private final List<String> remarks = new ArrayList<>();

    /** @param read the settings of one option, which are all of the same line */
    void add(final String name, final List<ScriptOption> read) throws DirectiveSyntaxException {
        if (read.isEmpty() || ADDED.contains(name)) {
            all.addAll(read);
            return;
        }
        final Key key = new Key(read.getFirst().dialect(), name);
        final List<ScriptOption> earlier = byName.get(key);
        if (earlier != null && settings(earlier).equals(settings(read))) {
            return;
        }
        if (earlier != null) {
            replace(earlier, name, read.getFirst().line());
        }
        byName.put(key, read);
        all.addAll(read);
    }

    private void replace(final List<ScriptOption> earlier, final String name, final int line)
            throws DirectiveSyntaxException {
        final ScriptOption first = earlier.getFirst();
        if (name.startsWith(RESOURCE)) {
            throw new DirectiveSyntaxException("line " + first.line()
                    + " has another value for it, and PBS workload managers differ in which of them they use;"
                    + " keep one");
        }
        if (DEPENDENCIES.contains(name)) {
            throw new DirectiveSyntaxException("line " + first.line()
                    + " has another dependency, and workload managers keep only one; join them in one option");
        }
        final Set<ScriptOption> replaced = Collections.newSetFromMap(new IdentityHashMap<>());
        replaced.addAll(earlier);
        all.removeIf(replaced::contains);
        remarks.add(first.where() + ": replaced by line " + line);
    }

    /** Memory (in sbatch, which refuses it) or GPUs that two options request in different ways: only one of them would count. */
    Optional<InvalidDirective> contradiction() {
        return Stream.of(Dialect.values())
                .flatMap(dialect -> Stream.of(JobSetting.Gpus.class, JobSetting.Memory.class)
                        .filter(kind -> kind == JobSetting.Gpus.class || dialect == Dialect.SLURM)
                        .map(kind -> all.stream()
                                .filter(option -> option.dialect() == dialect && kind.isInstance(option.setting()))
                                .toList()))
                .filter(same -> settings(same).stream().distinct().count() > 1)
                .findFirst()
                .map(same -> new InvalidDirective(
                        same.getFirst().line(),
                        same.getFirst().dialect().prefix() + " "
                                + same.getFirst().text(),
                        "'" + same.getLast().text() + "' in line "
                                + same.getLast().line() + " requests the same in another way; keep one of them"));
    }

    private static List<Object> settings(final List<ScriptOption> options) {
        return options.stream().<Object>map(ScriptOption::setting).toList();
    }

    List<ScriptOption> all() {
        return all;
    }

    List<String> remarks() {
        return remarks;
    }
}
