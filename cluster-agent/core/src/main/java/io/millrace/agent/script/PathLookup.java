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

/** Finds out with {@code find} which of these absolute paths exist and are visible to the account that runs it. No shell is involved. */
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
        // For a dangling link, find -L reports the link itself; "-not -type l" excludes it.
        argv.addAll(List.of("-maxdepth", "0", "-not", "-type", "l", "-print0"));
        return argv;
    }

    /** The exit code is ignored: it only means that some paths are missing. */
    @Override
    public Answer<Set<String>> read(final CommandResult result) {
        return Answer.ok(new HashSet<>(Arrays.asList(result.outputText().split("\0"))));
    }
}
