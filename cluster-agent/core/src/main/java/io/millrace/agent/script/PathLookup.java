package io.millrace.agent.script;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.script.wrapper.PathReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code find}: which of these absolute paths are there for whom it runs as; no shell sees them. */
record PathLookup(List<String> paths) implements CommandLine<Set<String>> {

    static List<String> candidates(final List<PathReference> paths) {
        final Set<String> all = new LinkedHashSet<>();
        paths.forEach(path -> {
            all.add(path.path());
            all.add(path.parent());
        });
        return List.copyOf(all);
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("find", "-L"));
        argv.addAll(paths);
        // Of a link that leads nowhere, find shows the link itself.
        argv.addAll(List.of("-maxdepth", "0", "-not", "-type", "l", "-print0"));
        return argv;
    }

    /** Its status says only that some are missing. */
    @Override
    public Answer<Set<String>> read(final CommandResult result) {
        return Answer.ok(new HashSet<>(Arrays.asList(result.outputText().split("\0"))));
    }
}
