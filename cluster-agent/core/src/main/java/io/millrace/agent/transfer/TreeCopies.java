package io.millrace.agent.transfer;

import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.Turns;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Action.RemoveCopy;
import io.millrace.model.command.Action.StopCopy;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.CopyProgress;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Executes copies to this cluster, one per calling thread. A copy can be repeated: files that have arrived are not copied again. After a
 * crash the agent therefore repeats the command.
 */
public final class TreeCopies {

    private final BiFunction<UserName, Authority, Runner> rights;
    private final TransferSettings settings;
    private final FileCache cache;
    private final ConcurrentMap<TransferId, RunningCopy> running = new ConcurrentHashMap<>();
    private final Turns turns = new Turns();

    /** @param rights gives a runner with the rights of a user for what the user has authorized; it runs every command of a copy */
    public TreeCopies(final BiFunction<UserName, Authority, Runner> rights, final TransferSettings settings) {
        this.rights = rights;
        this.settings = settings;
        this.cache = new FileCache(settings);
    }

    /**
     * Copies the tree and compares both sides, on the caller's thread, however long it takes.
     *
     * @return {@code Done("N files, B bytes, digest …")}; {@code Refused} if the user has no account on this cluster, does not own the
     *     destination, or the transfer is already running; otherwise {@code Failed} with rsync's error. Files that have arrived are kept
     */
    public Result copy(final CopyTree order) {
        final RunningCopy copy = new RunningCopy(order);
        if (running.putIfAbsent(order.transfer(), copy) != null) {
            return new Result.Refused(Refusal.STALE, "transfer " + order.transfer() + " is being copied already");
        }
        try {
            return copy(order, copy);
        } finally {
            running.remove(order.transfer(), copy);
            copy.over();
        }
    }

    /** What the owner has authorized by the signature of a copy. */
    public static Authority authority(final CopyTree order) {
        return order.transfer()
                .attempt()
                .map(attempt -> Authority.of(Authority.Kind.COPY, order.signature(), attempt))
                .orElse(Authority.CHECK);
    }

    /** The progress of the running copies. Thread-safe. */
    public List<CopyProgress> progress() {
        return running.values().stream()
                .map(RunningCopy::progress)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Stops the copy if it is running. The command that started it is then answered with {@code Failed}. */
    public Result stop(final StopCopy order) {
        final RunningCopy copy = running.get(order.transfer());
        if (copy == null) {
            return new Result.Done(null, "no copy of transfer " + order.transfer() + " was running");
        }
        copy.stop();
        return new Result.Done(null, "stopped the copy of transfer " + order.transfer() + "; what has arrived stays");
    }

    /**
     * Removes the folder of an attempt below the staging root with the rights of its owner, on the caller's thread. Repeating it is
     * harmless.
     *
     * @return {@code Done}, also if the folder does not exist; {@code Refused} if it is another folder, or a copy uses it; {@code Failed}
     *     with the error if something of it remains
     */
    public Result remove(final RemoveCopy order) {
        final String folder = settings.stagingRoot() + "/" + order.owner() + "/" + order.attempt();
        if (!order.directory().equals(folder)) {
            return new Result.Refused(
                    Refusal.NOT_PERMITTED,
                    "'" + order.directory() + "' is not the staging folder of " + order.attempt() + ", '" + folder
                            + "'");
        }
        if (running.values().stream().anyMatch(copy -> copy.uses(folder))) {
            return new Result.Refused(Refusal.STALE, "'" + folder + "' is being copied");
        }
        return switch (rights.apply(
                        order.owner(), Authority.of(Authority.Kind.REMOVE, order.signature(), order.attempt()))
                .run(new RemoveTree(folder))) {
            case Answer.Ok<String> ok -> new Result.Done(null, ok.value());
            case Answer.Trouble<String> no -> new Result.Failed(no.reason());
        };
    }

    /** Waits until the large files of all copies so far are in the cache, which happens after the answers. */
    void awaitStored() throws InterruptedException {
        cache.awaitStored();
    }

    private Result copy(final CopyTree order, final RunningCopy copy) {
        final String host = order.from().host();
        if (host != null && !Rsync.isHost(host)) {
            return new Result.Refused(Refusal.NOT_PERMITTED, "'" + host + "' is not the name of a host");
        }
        final List<String> texts =
                new ArrayList<>(List.of(order.from().path(), order.to().path()));
        if (order.filter() != null) {
            order.filter().forEach(rule -> texts.add(rule.value()));
        }
        for (final String text : texts) {
            if (!canBeSaid(text)) {
                return new Result.Failed(
                        "the agent's locale cannot express '" + text + "'; start the agent with LC_ALL=C.UTF-8");
            }
        }
        final Runner asOwner = rights.apply(order.owner(), authority(order));
        return switch (new Destination(settings, order).prepare(asOwner)) {
            case Answer.Ok<Boolean> ok -> result(verified(order, asOwner, copy::reached), order, copy);
            case Answer.Trouble<Boolean> no
            when no.kind() == Answer.Kind.DENIED -> new Result.Refused(Refusal.NOT_PERMITTED, no.reason());
            case Answer.Trouble<Boolean> no -> result(no.of(), order, copy);
        };
    }

    /**
     * Results of many jobs come to the same directory, and files with the same name are kept beside each other only if one copy is complete
     * before the next one compares.
     */
    private Answer<String> verified(final CopyTree order, final Runner asOwner, final Consumer<CopyProgress> progress) {
        return turns.in(order.to().path(), () -> new VerifiedCopy(settings, cache, order, asOwner, progress).run());
    }

    private static Result result(final Answer<String> answer, final CopyTree order, final RunningCopy copy) {
        return switch (answer) {
            case Answer.Ok<String> ok -> new Result.Done(null, ok.value());
            case Answer.Trouble<String> no
            when copy.stopped() ->
                new Result.Failed("transfer " + order.transfer() + " was stopped; what has arrived stays");
            case Answer.Trouble<String> no -> new Result.Failed(no.reason(), RsyncErrors.code(no.reason()));
        };
    }

    /** The JVM encodes arguments in its locale. Characters that the locale cannot express would be passed as question marks. */
    private static boolean canBeSaid(final String text) {
        return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"))
                .newEncoder()
                .canEncode(text);
    }
}
