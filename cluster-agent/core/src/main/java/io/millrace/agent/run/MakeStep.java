package io.millrace.agent.run;

import io.millrace.agent.exec.Authority;
import io.millrace.agent.session.Program;
import io.millrace.agent.session.Session;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs the make step of an attempt in its directory as its owner. It survives a restart of the agent. */
public final class MakeStep {

    static final String OUTPUT = "millrace-make.out";

    private final Path workDir;
    private final Sessions sessions;
    private final OwnerAccounts owners;
    private final StagingDirectories staging;
    private final Duration limit;

    public MakeStep(
            final Path workDir,
            final Sessions sessions,
            final OwnerAccounts owners,
            final StagingDirectories staging,
            final Duration limit) {
        this.workDir = workDir;
        this.sessions = sessions;
        this.owners = owners;
        this.staging = staging;
        this.limit = limit;
    }

    public Result run(final CommandId id, final Action.Make make) throws InterruptedException {
        final MakeScript script = MakeScript.of(make);
        final Answer<Accepted> ready =
                staging.prepare(make.owner(), make.directory(), authority(make)).then(there -> write(make, script));
        if (ready instanceof Answer.Trouble<Accepted> trouble) {
            return ResultMapper.failed(trouble.reason());
        }
        final Path folder = WorkDirectories.of(workDir, id);
        final Program program = new Program(
                List.of(script.program()),
                owners.prefix(make.owner()),
                environment(make),
                request(make, script),
                owners.baseEnvironment(),
                make.directory(),
                make.directory() + "/" + OUTPUT,
                limit);
        sessions.prepare(folder, program);
        sessions.launch(folder, program);
        return await(make, folder);
    }

    private Answer<Accepted> write(final Action.Make make, final MakeScript script) {
        return owners.needsHelper(make.owner())
                ? script.writeThrough(
                        owners.runner(make.owner(), authority(make).as(Authority.Kind.WRITE_MAKE)))
                : script.write(owners.runner(make.owner(), authority(make)));
    }

    private Authority authority(final Action.Make make) {
        return Authority.of(Authority.Kind.MAKE, make.signature(), make.attempt());
    }

    /** The helper gets the variables as they were signed, and sets {@code MILLRACE_ATTEMPT}. */
    private byte[] request(final Action.Make make, final MakeScript script) {
        return owners.request(
                make.owner(),
                authority(make),
                make.directory(),
                limit,
                Sessions.become(
                        make.directory(),
                        make.directory() + "/" + OUTPUT,
                        owners.baseEnvironment(),
                        List.of(script.program())),
                make.spec().environment());
    }

    /** After a crash: waits for the session if there is one; never starts a second one. */
    public Result recover(final CommandId id, final Action.Make make) throws InterruptedException {
        final Path folder = WorkDirectories.of(workDir, id);
        final Session session = session(make, folder);
        if (!Files.isDirectory(folder) || (!session.hasStarted() && session.claim())) {
            MakeScript.of(make).remove(owners.runner(make.owner(), authority(make)));
            return ResultMapper.failed("interrupted by a crash before the make step started");
        }
        return await(make, folder);
    }

    private Session session(final Action.Make make, final Path folder) {
        return new Session(folder, owners.prefix(make.owner()));
    }

    private Result await(final Action.Make make, final Path folder) throws InterruptedException {
        final Session session = session(make, folder);
        final Session.Exit exit = WorkDirectories.await(session);
        // A failed removal does not change the result.
        MakeScript.of(make).remove(owners.runner(make.owner(), authority(make)));
        final Result result = result(make, exit, session);
        if (result instanceof Result.Done) {
            WorkDirectories.remove(folder);
        }
        return result;
    }

    private Result result(final Action.Make make, final Session.@Nullable Exit exit, final Session session) {
        if (exit == null) {
            return ResultMapper.failed("the make step was killed; see " + make.directory() + "/" + OUTPUT);
        }
        final String spent =
                Duration.ofNanos((exit.ended_us() - exit.started_us()) * 1000).toMillis() + " ms";
        if (exit.timedOut()) {
            return ResultMapper.failed(
                    "the make step exceeded its limit of " + limit.toSeconds() + " s; see " + OUTPUT);
        }
        if (exit.status() != 0) {
            final String tail = session.logTail();
            return ResultMapper.failed("the make step exited with code " + exit.status() + "; see " + make.directory()
                    + "/" + OUTPUT + (tail.isEmpty() ? "" : " (" + tail + ")"));
        }
        return ResultMapper.done("make step finished in " + spent);
    }

    private Map<String, String> environment(final Action.Make make) {
        final Map<String, String> all = new HashMap<>(owners.environment(make.owner()));
        make.spec().environment().forEach((name, value) -> {
            if (name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                all.put(name, value);
            }
        });
        all.put("MILLRACE_ATTEMPT", make.attempt().toString());
        return all;
    }
}
