package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget.Program;
import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.yaml.Figures;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program for each event, which stands on its standard input as one JSON document. Without a shell, in a clean environment, in a
 * session of its own; what of it still runs at the limit, or behind its end, is ended.
 */
final class ProgramDelivery implements Delivery {

    private static final Logger LOG = Logger.getLogger(ProgramDelivery.class);
    private static final String SUPERUSER = "root";
    private static final Duration LAST_WORDS = Duration.ofSeconds(30);
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    private final String handler;
    private final Program program;
    private final List<String> prefix;
    private final Duration lastWords;

    /**
     * @param self the account of this service
     * @throws IllegalArgumentException if the program cannot be run like that
     */
    ProgramDelivery(final String handler, final Program program, final String self) {
        this(handler, program, self, LAST_WORDS);
    }

    /** @param lastWords how long to wait for output of what escaped the program's end */
    ProgramDelivery(final String handler, final Program program, final String self, final Duration lastWords) {
        this.lastWords = lastWords;
        this.handler = handler;
        this.program = program;
        final Path file = Path.of(program.argv().getFirst());
        if (!Files.isExecutable(file) || Files.isDirectory(file)) {
            throw new IllegalArgumentException("program " + file + " is not there or cannot be executed");
        }
        if (self.equals(SUPERUSER) && program.user() == null) {
            throw new IllegalArgumentException("this service runs as root: say with 'user' whose rights " + file
                    + " is to have ('user: root' if it must be)");
        }
        if (!self.equals(SUPERUSER) && program.user() != null && !program.user().equals(self)) {
            throw new IllegalArgumentException("this service runs as " + self + " and cannot run " + file + " as "
                    + program.user() + ": only root can; leave 'user' out");
        }
        this.prefix = prefix(program.user());
    }

    /** A session of its own, and the rights of that user with all groups and no capabilities. */
    private static List<String> prefix(final @Nullable String user) {
        if (user == null || user.equals(SUPERUSER)) {
            return List.of("setsid");
        }
        return List.of(
                "setsid",
                "setpriv",
                "--reuid=" + user,
                "--regid=" + ProgramUser.group(user),
                "--init-groups",
                "--inh-caps=-all",
                "--");
    }

    @Override
    public DeliveryResult deliver(final HandlerEvent letter) throws InterruptedException {
        final String mark = UUID.randomUUID().toString();
        final Process process;
        try {
            process = builder(mark).start();
        } catch (IOException e) {
            return new DeliveryResult.Failed("it could not be started: " + e.getMessage());
        }
        final ProgramOutput output = new ProgramOutput(process.getInputStream());
        final Thread writer = Thread.ofPlatform().daemon().start(() -> write(letter, process));
        final DeliveryResult verdict;
        final boolean ended;
        try {
            ended = process.waitFor(program.limit().toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            ProcessTree.end(process, mark);
        }
        final String said = output.told(lastWords);
        if (!writer.join(lastWords)) {
            LOG.debugf("a program's event is still being written: handler=%s", handler);
        }
        verdict = ended
                ? judge(process.exitValue(), said)
                : new DeliveryResult.Failed("it ran longer than " + Figures.told(program.limit()));
        if (!said.isEmpty()) {
            LOG.infof("a handler's program said: handler=%s output=%s", handler, said);
        }
        return verdict;
    }

    private static DeliveryResult judge(final int exit, final String said) {
        if (exit == 0) {
            return new DeliveryResult.Delivered();
        }
        final String last = said.lines().reduce("", (before, line) -> line);
        return new DeliveryResult.Failed("it ended with exit code " + exit + (last.isEmpty() ? "" : ": " + last));
    }

    private ProcessBuilder builder(final String mark) {
        final List<String> command = new ArrayList<>(prefix);
        command.addAll(program.argv());
        final ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/").toFile()).redirectErrorStream(true);
        final Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", PATH);
        environment.put("HOME", "/");
        environment.put("LANG", "C.UTF-8");
        environment.put("MILLRACE_HANDLER", handler);
        environment.put(ProcessTree.MARK, mark);
        return builder;
    }

    private static void write(final HandlerEvent letter, final Process process) {
        try (OutputStream input = process.getOutputStream()) {
            input.write((EventEnvelope.structured(letter) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.debugf("a program did not read its whole event: %s", e.getMessage());
        }
    }
}
