package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs command lines as processes of this host. Each runs under {@code timeout} (coreutils), so that it ends at its limit even if the agent
 * is killed.
 */
public final class ProcessRunner implements Runner {

    private static final int DEFAULT_CAP_BYTES = 256 * 1024 * 1024;
    private static final Duration KILL_AFTER = Duration.ofSeconds(2);
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Accounts accounts;
    private final int capBytes;
    private final @Nullable Account owner;
    private final Authority authority;

    public ProcessRunner(final Accounts accounts) {
        this(accounts, DEFAULT_CAP_BYTES);
    }

    /** @param capBytes maximum length of standard output, in bytes */
    public ProcessRunner(final Accounts accounts, final int capBytes) {
        this(accounts, capBytes, null, Authority.CHECK);
    }

    /** @param owner whose rights the commands have; null: those of the agent */
    private ProcessRunner(
            final Accounts accounts, final int capBytes, final @Nullable Account owner, final Authority authority) {
        this.accounts = accounts;
        this.capBytes = capBytes;
        this.owner = owner;
        this.authority = authority;
    }

    @Override
    public Runner as(final UserName user) {
        return as(user, Authority.CHECK);
    }

    @Override
    public Runner as(final UserName user, final Authority with) {
        return accounts.named(user)
                .map(account -> as(account, with))
                .orElseGet(() ->
                        new Denied("user '" + user + "' has no account on this cluster; ask its operators for one"));
    }

    private Runner as(final Account account, final Authority with) {
        return UserSwitch.refusal(account)
                .<Runner>map(Denied::new)
                .orElseGet(() -> new ProcessRunner(accounts, capBytes, account, with));
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        return execute(command, stream -> keep(stream, capBytes));
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command, final Predicate<String> taken) {
        return execute(command, stream -> keep(stream, capBytes, taken));
    }

    private <T> Answer<T> execute(
            final CommandLine<T> command, final Function<InputStream, CompletableFuture<Kept>> keeping) {
        if (owner != null && !accounts.isCurrent(owner)) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "account '" + owner.name() + "' with uid " + owner.uid() + " was removed or has another uid now;"
                            + " submit the job again");
        }
        final long startedAt = System.nanoTime();
        final Process process = start(command);
        try {
            final CompletableFuture<Kept> output = keeping.apply(process.getInputStream());
            final CompletableFuture<Kept> error = keep(process.getErrorStream(), 64 * 1024);
            final Duration patience = command.limit().plus(KILL_AFTER).plusSeconds(5);
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return timedOut(command);
            }
            final int exit = process.exitValue();
            final boolean late =
                    System.nanoTime() - startedAt >= command.limit().toNanos();
            if (late && (exit == 124 || exit == 137)) {
                return timedOut(command);
            }
            final Kept stdout = output.get(5, TimeUnit.SECONDS);
            if (stdout.more) {
                return Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        name(command) + " printed more than " + capBytes / 1024 / 1024
                                + " MiB; raise the cap or narrow the query");
            }
            final CommandResult result = new CommandResult(exit, stdout.bytes, error.get(5, TimeUnit.SECONDS).bytes);
            return (byHelper() ? Sudo.refusal(result).or(() -> Helper.refusal(result)) : Optional.<String>empty())
                    .<Answer<T>>map(because -> Answer.trouble(Answer.Kind.DENIED, because))
                    .orElseGet(() -> command.read(result));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.trouble(Answer.Kind.STOPPED, name(command) + " was stopped before it finished");
        } catch (final TimeoutException e) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE, name(command) + " ended, but something it started keeps its output open");
        } catch (final ExecutionException e) {
            throw new IllegalStateException("cannot read the output of " + name(command), e.getCause());
        } finally {
            process.destroy();
        }
    }

    private boolean byHelper() {
        return owner != null && UserSwitch.needsHelper(accounts.own(), owner);
    }

    private Process start(final CommandLine<?> command) {
        final String directory = command.directory();
        final byte[] input = command.input();
        if (owner != null && byHelper()) {
            final byte[] request = Helper.request(
                    authority,
                    owner,
                    directory == null ? "/" : directory,
                    command.limit(),
                    command.argv(),
                    command.environment());
            final byte[] whole = Arrays.copyOf(request, request.length + input.length);
            System.arraycopy(input, 0, whole, request.length, input.length);
            return start(command, Helper.words(), accounts.own(), Map.of(), whole);
        }
        final List<String> argv = new ArrayList<>(owner == null ? List.of() : UserSwitch.prefix(accounts.own(), owner));
        if (directory != null) {
            argv.addAll(List.of("env", "--chdir=" + directory, "--"));
        }
        argv.addAll(List.of("timeout", "--kill-after=" + KILL_AFTER.toSeconds(), seconds(command.limit())));
        argv.addAll(command.argv());
        return start(command, argv, owner == null ? accounts.own() : owner, command.environment(), input);
    }

    private static Process start(
            final CommandLine<?> command,
            final List<String> argv,
            final Account runsAs,
            final Map<String, String> extra,
            final byte[] input) {
        final ProcessBuilder builder = new ProcessBuilder(argv).directory(new File("/"));
        final Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(extra);
        environment.putAll(Map.of(
                "PATH", PATH,
                "LC_ALL", "C.UTF-8",
                "HOME", runsAs.home(),
                "SHELL", runsAs.shell(),
                "USER", runsAs.name().value(),
                "LOGNAME", runsAs.name().value()));
        try {
            return start(builder, input);
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot start " + name(command) + ": are coreutils and util-linux installed?", e);
        }
    }

    private static Process start(final ProcessBuilder builder, final byte[] input) throws IOException {
        return input.length == 0
                ? builder.redirectInput(new File("/dev/null")).start()
                : InputFile.start(builder, input);
    }

    private static String seconds(final Duration limit) {
        return limit.toSeconds() + "." + "%03d".formatted(limit.toMillisPart());
    }

    private static <T> Answer<T> timedOut(final CommandLine<?> command) {
        return Answer.trouble(
                Answer.Kind.TIMEOUT,
                name(command) + " did not answer within " + command.limit().toSeconds() + " s and was killed");
    }

    /** The program and its first argument, to identify the command in messages without a user's script. */
    private static String name(final CommandLine<?> command) {
        final List<String> argv = command.argv();
        return "'" + String.join(" ", argv.subList(0, Math.min(2, argv.size()))) + "'";
    }

    private record Kept(byte[] bytes, boolean more) {}

    /** As below, but without the lines that are taken. */
    private static CompletableFuture<Kept> keep(
            final InputStream stream, final int cap, final Predicate<String> taken) {
        final CompletableFuture<Kept> kept = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            final ByteArrayOutputStream rest = new ByteArrayOutputStream();
            boolean more = false;
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream, StandardCharsets.ISO_8859_1))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    more |= rest.size() + line.length() >= cap;
                    if (!taken.test(line) && !more) {
                        rest.writeBytes((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
                    }
                }
                kept.complete(new Kept(rest.toByteArray(), more));
            } catch (final IOException e) {
                kept.completeExceptionally(e);
            }
        });
        return kept;
    }

    /** Keeps the first {@code cap} bytes and reads to the end, so that the program does not block on a full pipe. */
    private static CompletableFuture<Kept> keep(final InputStream stream, final int cap) {
        final CompletableFuture<Kept> kept = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try (stream) {
                final byte[] first = stream.readNBytes(cap);
                kept.complete(new Kept(first, stream.skip(Long.MAX_VALUE) > 0));
            } catch (final IOException e) {
                kept.completeExceptionally(e);
            }
        });
        return kept;
    }
}
