package io.millrace.agent;

import io.millrace.agent.session.Program;
import io.millrace.agent.session.Session;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Account;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs the make step of an attempt in its directory as its owner; it survives the agent, and its end is found afterwards. */
final class MakeStep {

    static final String OUTPUT = "millrace-make.out";

    private final Path workDir;
    private final Sessions sessions;
    private final Owners owners;
    private final Staging staging;
    private final Duration limit;

    MakeStep(
            final Path workDir,
            final Sessions sessions,
            final Owners owners,
            final Staging staging,
            final Duration limit) {
        this.workDir = workDir;
        this.sessions = sessions;
        this.owners = owners;
        this.staging = staging;
        this.limit = limit;
    }

    Result run(final CommandId id, final Action.Make make) throws InterruptedException {
        if (!owners.canGiveFilesTo(make.owner())) {
            return Hand.failed("this agent runs as an ordinary user and cannot lay down the make step for '"
                    + make.owner() + "': run the agent as root, or make in the job's script (deploy/agent/README.md)");
        }
        final Answer<Accepted> ready = staging.prepare(make.owner(), make.directory());
        if (ready instanceof Answer.Trouble<Accepted> trouble) {
            return Hand.failed(trouble.because());
        }
        final Path folder = WorkFolders.of(workDir, id);
        final Program program = new Program(
                List.of(script(folder, make).toString()),
                owners.prefix(make.owner()),
                environment(make),
                make.directory(),
                make.directory() + "/" + OUTPUT,
                limit);
        sessions.prepare(folder, program);
        return await(make, sessions.launch(folder, program), folder);
    }

    /** After a crash: waits for the session if there is one, and never starts another. */
    Result look(final CommandId id, final Action.Make make) throws InterruptedException {
        final Path folder = WorkFolders.of(workDir, id);
        if (!Files.isDirectory(folder)) {
            return Hand.failed("interrupted before the make step began");
        }
        final Session session = new Session(folder);
        if (!session.hasStarted() && session.claim()) {
            return Hand.failed("interrupted before the make step began");
        }
        return await(make, session, folder);
    }

    private Result await(final Action.Make make, final Session session, final Path folder) throws InterruptedException {
        final Session.Exit exit = WorkFolders.await(session);
        if (exit == null) {
            return Hand.failed("the make step was killed from outside; see " + make.directory() + "/" + OUTPUT);
        }
        final String spent =
                Duration.ofNanos((exit.ended_us() - exit.started_us()) * 1000).toMillis() + " ms";
        if (exit.timedOut()) {
            return Hand.failed("the make step was ended at its limit of " + limit.toSeconds() + " s; see " + OUTPUT);
        }
        if (exit.status() != 0) {
            final String words = session.lastWords();
            return Hand.failed("the make step ended with " + exit.status() + "; see " + make.directory() + "/" + OUTPUT
                    + (words.isEmpty() ? "" : " (" + words + ")"));
        }
        WorkFolders.remove(folder);
        return Hand.done("made in " + spent);
    }

    /** The script, in a file that its owner can execute and nobody else read. */
    private Path script(final Path folder, final Action.Make make) {
        final Path scripts = workDir.resolve("scripts");
        final Path file = scripts.resolve(folder.getFileName());
        final Account account = owners.account(make.owner());
        try {
            Files.createDirectories(scripts);
            Files.setPosixFilePermissions(scripts, PosixFilePermissions.fromString("rwx--x--x"));
            Files.deleteIfExists(file);
            Files.writeString(
                    file,
                    Objects.requireNonNull(make.spec().make(), "an attempt without a make step"),
                    StandardCharsets.UTF_8);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            if ((int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS) != account.uid()) {
                Files.setAttribute(file, "unix:uid", account.uid(), LinkOption.NOFOLLOW_LINKS);
            }
            return file;
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot lay down the make step", e);
        }
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
