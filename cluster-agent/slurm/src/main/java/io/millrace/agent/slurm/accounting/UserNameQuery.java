package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.query.JobRequest;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code getent passwd}: user names by uid; unknown uids are omitted. */
record UserNameQuery(List<String> uids) implements CommandLine<Map<String, String>> {

    UserNameQuery(final Collection<String> uids) {
        this(uids.stream().filter(uid -> uid.matches("\\d{1,10}")).sorted().toList());
    }

    /** The names of the owners of these runs. */
    static Answer<Map<String, String>> names(final Runner runner, final Collection<EndedRun> runs) {
        final Set<String> uids = runs.stream()
                .map(EndedRun::request)
                .filter(request -> request != null && request.user().isEmpty())
                .map(JobRequest::uid)
                .collect(Collectors.toSet());
        return uids.isEmpty() ? Answer.ok(Map.of()) : runner.run(new UserNameQuery(uids));
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("getent", "passwd"));
        argv.addAll(uids.isEmpty() ? List.of("0") : uids);
        return argv;
    }

    @Override
    public Answer<Map<String, String>> read(final CommandResult result) {
        // Exit code 2 means that some uid is unknown; its jobs are then reported under the uid.
        if (!result.succeeded() && result.exit() != 2) {
            return SlurmErrors.of("getent passwd", result, Answer.Kind.UNREADABLE);
        }
        final Map<String, String> names = new HashMap<>();
        result.outputText().lines().map(line -> line.split(":", 4)).forEach(part -> {
            if (part.length == 4) {
                names.put(part[2], part[0]);
            }
        });
        return Answer.ok(names);
    }
}
