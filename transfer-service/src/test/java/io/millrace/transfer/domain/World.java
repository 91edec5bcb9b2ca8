package io.millrace.transfer.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.decide.IgnoredRecords;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Request;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.FilterRule;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.transfer.ManageTransfers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A log in memory around the transfers under test. */
public final class World {

    record Entry(Event event, Instant at) {}

    public static final ClusterId ALPHA = ClusterId.of("alpha");
    public static final ClusterId BETA = ClusterId.of("beta");
    public static final ClusterId GAMMA = ClusterId.of("gamma");
    public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    final TransferPolicy policy;
    final List<Entry> log = new ArrayList<>();
    public Instant now = NOON;
    private ManageTransfers transfers;
    private int read;
    private int committed;

    public World(final TransferPolicy policy) {
        this.policy = policy;
        this.transfers = new ManageTransfers(policy, new IgnoredRecords());
    }

    public static final List<FilterRule> FILTER = List.of(FilterRule.of("- *.tmp"));

    public static TransferId id(final int n) {
        return TransferId.of("01J00000000000000000000%03d.1/upload".formatted(n));
    }

    public void say(final Event event) {
        log.add(new Entry(event, now));
    }

    public void ask(final int n, final ClusterId from, final ClusterId to) {
        ask(n, "anna", from, to);
    }

    public void ask(final int n, final String owner, final ClusterId from, final ClusterId to) {
        final GlobalJobId job = GlobalJobId.of(id(n).value().substring(0, 26));
        say(new Request.TransferRequested(
                id(n),
                job.attempt(1),
                UserName.of(owner),
                new Place(from, null, "/a"),
                new Place(to, null, "/b"),
                now,
                NOON,
                FILTER,
                "signature"));
    }

    public void heartbeat(final ClusterId... clusters) {
        for (final ClusterId cluster : clusters) {
            heartbeat(cluster, List.of());
        }
    }

    public void heartbeat(final ClusterId cluster, final List<CopyProgress> copies) {
        say(new RevisionClosed(
                cluster,
                1 + log.size(),
                now,
                new WlmHealth.Answering(),
                Control.NATIVE,
                "script",
                Resources.cores(8),
                Resources.cores(8),
                Set.of(Capability.TRANSFER),
                0,
                "/staging",
                null,
                Map.of(),
                copies,
                null,
                null,
                null));
    }

    public void pass(final Duration time) {
        now = now.plus(time);
    }

    public List<Event> decide() {
        while (read < log.size()) {
            deliver(transfers, log.get(read++));
        }
        final List<Event> said = transfers.decide(now);
        committed = read;
        said.forEach(this::say);
        return said;
    }

    /** A new process must say exactly what the old one would have said. */
    public void restart() {
        final ManageTransfers fresh = new ManageTransfers(policy, new IgnoredRecords());
        for (int i = 0; i < log.size(); i++) {
            final Entry entry = log.get(i);
            final boolean recent = !entry.at().isBefore(now.minus(Duration.ofHours(1)));
            final boolean wanted = switch (entry.event()) {
                case Request r -> i >= committed;
                case Command c -> recent;
                case Outcome o -> recent;
                default -> true;
            };
            if (wanted) {
                deliver(fresh, entry);
            }
        }
        final int before = log.size();
        final List<Event> said = decide();
        assertThat(fresh.decide(now)).containsExactlyElementsOf(said);
        assertThat(read).isEqualTo(before);
        transfers = fresh;
    }

    /** As a process that was away and lost its memory. */
    public void forget() {
        transfers = new ManageTransfers(policy, new IgnoredRecords());
        for (int i = 0; i < log.size(); i++) {
            final Entry entry = log.get(i);
            final boolean recent = !entry.at().isBefore(now.minus(Duration.ofHours(1)));
            if (entry.event() instanceof Transfer || (recent && !(entry.event() instanceof Request))) {
                deliver(transfers, entry);
            }
        }
        read = log.size();
    }

    private static void deliver(final ManageTransfers to, final Entry entry) {
        switch (entry.event()) {
            case Request request -> to.requested(request);
            case Transfer transfer -> to.recorded(transfer);
            case Command command -> to.issued(command);
            case Outcome outcome -> to.answered(outcome);
            case RevisionClosed marker -> to.observed(marker);
            default -> throw new IllegalStateException("nobody reads " + entry.event());
        }
    }

    public void answer(final Command command, final Result result) {
        say(command.outcome(result, now));
    }

    public TransferState state(final int n) {
        return log.stream()
                .map(Entry::event)
                .filter(e -> e instanceof Transfer t && t.id().equals(id(n)))
                .map(e -> ((Transfer) e).state())
                .reduce((one, two) -> two)
                .orElseThrow();
    }

    List<Command> commands(final Predicate<Action> which) {
        return log.stream()
                .map(Entry::event)
                .filter(Command.class::isInstance)
                .map(Command.class::cast)
                .filter(c -> which.test(c.action()))
                .toList();
    }

    public List<Command> copies() {
        return commands(a -> a instanceof Action.CopyTree);
    }

    public List<Command> stops() {
        return commands(a -> a instanceof Action.StopCopy);
    }
}
