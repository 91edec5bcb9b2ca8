package io.millrace.submit.handlers;

import io.millrace.sitefiles.Durations;
import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget.Program;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a program for each event, with the event as one JSON document on standard input. The program runs without a shell, in a clean
 * environment and a new session. Processes that remain after it ends or times out are killed.
 */
final class ProgramDelivery implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(ProgramDelivery.class);
    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(30);
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    private final String handler;
    private final Program program;
    private final List<String> prefix;
    private final Duration outputTimeout;

    /**
     * @param self the uid of this service
     * @throws IllegalArgumentException if the program cannot be run
     */
    ProgramDelivery(final String handler, final Program program, final int self) {
        this(handler, program, self, OUTPUT_TIMEOUT);
    }

    /** @param outputTimeout how long to wait for the output of processes that survive the program */
    ProgramDelivery(final String handler, final Program program, final int self, final Duration outputTimeout) {
        this.outputTimeout = outputTimeout;
        this.handler = handler;
        this.program = program;
        final Path file = Path.of(program.argv().getFirst());
        if (!Files.isExecutable(file) || Files.isDirectory(file)) {
            throw new IllegalArgumentException("program " + file + " does not exist or is not executable");
        }
        this.prefix = prefix(file, program.user(), self);
    }

    /** Starts a new session as that user, with all its groups and without capabilities. Nothing runs as root. */
    private static List<String> prefix(final Path file, final @Nullable String user, final int self) {
        if (user == null && self == 0) {
            throw new IllegalArgumentException(
                    "this service runs as root; set 'user' to the ordinary user that runs " + file);
        }
        final int uid = user == null ? self : ProgramUser.uid(user);
        if (uid == 0) {
            throw new IllegalArgumentException("user '" + user + "' has uid 0, and Millrace runs nothing as root; set"
                    + " 'user' to an ordinary user");
        }
        if (uid == self) {
            return List.of("setsid");
        }
        if (self != 0) {
            throw new IllegalArgumentException("this service runs with uid " + self + " and cannot run " + file
                    + " as '" + user + "', which requires root; remove 'user'");
        }
        return List.of(
                "setsid",
                "setpriv",
                "--reuid=" + uid,
                "--regid=" + ProgramUser.group(Integer.toString(uid)),
                "--init-groups",
                "--inh-caps=-all",
                "--");
    }

    @Override
    public DeliveryResult deliver(final HandlerEvent event) throws InterruptedException {
        final String mark = UUID.randomUUID().toString();
        final Process process;
        try {
            process = builder(mark).start();
        } catch (IOException e) {
            return new DeliveryResult.Failed("the program could not be started: " + e.getMessage());
        }
        final ProgramOutput output = new ProgramOutput(process.getInputStream());
        final Thread writer = Thread.ofPlatform().daemon().start(() -> write(event, process));
        final DeliveryResult verdict;
        final boolean ended;
        try {
            ended = process.waitFor(program.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            ProcessTree.end(process, mark);
        }
        final String printed = output.text(outputTimeout);
        if (!writer.join(outputTimeout)) {
            LOG.debug("the event is still being written to the program: handler={}", handler);
        }
        verdict = ended
                ? result(process.exitValue(), printed)
                : new DeliveryResult.Failed(
                        "the program exceeded its timeout of " + Durations.format(program.timeout()));
        if (!printed.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("handler", handler)
                    .addKeyValue("output", printed)
                    .log("output of handler program");
        }
        return verdict;
    }

    private static DeliveryResult result(final int exit, final String printed) {
        if (exit == 0) {
            return new DeliveryResult.Delivered();
        }
        final String last = printed.lines().reduce("", (before, line) -> line);
        return new DeliveryResult.Failed(
                "the program ended with exit code " + exit + (last.isEmpty() ? "" : ": " + last));
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

    private static void write(final HandlerEvent event, final Process process) {
        try (OutputStream input = process.getOutputStream()) {
            input.write((EventEnvelope.structured(event) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.debug("the program did not read the complete event: {}", e.getMessage());
        }
    }
}
