package io.millrace.script.directive;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
        all.addAll(read);
        if (read.isEmpty() || ADDED.contains(name)) {
            return;
        }
        final List<ScriptOption> earlier = byName.put(new Key(read.getFirst().dialect(), name), read);
        if (earlier == null) {
            return;
        }
        final boolean alike = settings(earlier).equals(settings(read));
        if (!alike && name.startsWith(RESOURCE)) {
            throw new DirectiveSyntaxException(
                    "line " + earlier.getFirst().line()
                            + " has another value for it, and PBS workload managers differ in which of them they use; keep one");
        }
        if (!alike && DEPENDENCIES.contains(name)) {
            throw new DirectiveSyntaxException("line " + earlier.getFirst().line()
                    + " has another dependency, and workload managers keep only one; join them in one option");
        }
        all.removeIf(option -> earlier.stream().anyMatch(replaced -> replaced == option));
        if (!alike) {
            remarks.add(earlier.getFirst().where() + ": replaced by line "
                    + read.getFirst().line());
        }
    }

    /** GPUs that two options request in different ways: only one of them would count. */
    Optional<InvalidDirective> contradiction() {
        for (final Dialect dialect : Dialect.values()) {
            final List<ScriptOption> gpus = all.stream()
                    .filter(option -> option.dialect() == dialect && option.setting() instanceof JobSetting.Gpus)
                    .toList();
            if (settings(gpus).stream().distinct().count() > 1) {
                final ScriptOption first = gpus.getFirst();
                return Optional.of(new InvalidDirective(
                        first.line(),
                        dialect.prefix() + " " + first.text(),
                        "line " + gpus.getLast().line() + " requests GPUs in another way; keep one of them"));
            }
        }
        return Optional.empty();
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
