package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.session.DiskFile;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.Control;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The gate of a directed cluster: its queues accept jobs and dispatch none ({@code badmin qinact}). A file lists the queues that the agent
 * has made inactive, so that a queue stopped by an administrator stays stopped when the gate opens. The watchdog reads both files.
 *
 * <p>mbatchd ignores {@code qinact} of an inactive queue and does not record it, so an administrator who stops a queue while the gate is
 * closed removes its name from the file (deploy/lsf).
 */
public final class QueueGate {

    private final LsfSite site;
    private final CommandExecutor executor;

    public QueueGate(final LsfSite site, final CommandExecutor executor) {
        this.site = site;
        this.executor = executor;
        try {
            Files.createDirectories(site.stateDir());
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot create " + site.stateDir()
                            + "; set millrace.agent.lsf.state-dir to a directory that the agent can write",
                    e);
        }
    }

    /** Directed only while every managed queue is inactive. */
    public Control control(final Collection<LsfQueue> queues) {
        final List<LsfQueue> managed = managed(queues);
        return text(controlFile()).strip().equals("directed")
                        && !managed.isEmpty()
                        && managed.stream().allMatch(LsfQueue::inactive)
                ? Control.DIRECTED
                : Control.NATIVE;
    }

    /**
     * Whether the agent has made some queues inactive, but others dispatch jobs: a queue was added or activated, or control was changed in
     * the configuration meanwhile.
     */
    public boolean isPartial(final Collection<LsfQueue> queues) {
        return control(queues) == Control.NATIVE && queues.stream().anyMatch(this::isClosedByAgent);
    }

    /** Whether this queue is inactive because the agent made it so. */
    public boolean isClosedByAgent(final LsfQueue queue) {
        return queue.inactive() && closedQueues().contains(queue.name());
    }

    public Answer<Accepted> close(final Collection<LsfQueue> queues) {
        final Set<String> closedQueues = new TreeSet<>(closedQueues());
        final List<String> active = new ArrayList<>();
        for (final LsfQueue queue : managed(queues)) {
            if (!queue.inactive()) {
                active.add(queue.name());
            }
        }
        closedQueues.addAll(active);
        // Written first: after a crash between the two steps the agent knows which queues it may activate.
        write(gateFile(), String.join("\n", closedQueues) + "\n");
        return badmin("qinact", active).map(done -> {
            write(controlFile(), "directed\n");
            return new Accepted("queues " + closedQueues + " are inactive");
        });
    }

    public Answer<Accepted> open(final Collection<LsfQueue> queues) {
        write(controlFile(), "native\n");
        final Set<String> closedQueues = closedQueues();
        final Map<Boolean, List<String>> closedByAgent = queues.stream()
                .filter(LsfQueue::inactive)
                .map(LsfQueue::name)
                .collect(Collectors.partitioningBy(closedQueues::contains));
        final List<String> opened = closedByAgent.getOrDefault(true, List.of());
        final List<String> stopped = closedByAgent.getOrDefault(false, List.of());
        return badmin("qact", opened).map(done -> {
            write(gateFile(), "");
            return new Accepted("queues " + opened + " are active"
                    + (stopped.isEmpty() ? "" : "; " + stopped + " stay inactive, as their administrator left them"));
        });
    }

    private Answer<Accepted> badmin(final String verb, final List<String> queues) {
        if (queues.isEmpty()) {
            return Answer.ok(new Accepted("no queue to change"));
        }
        final List<String> command = new ArrayList<>(List.of("badmin", verb));
        command.addAll(queues);
        return executor.run(command);
    }

    private List<LsfQueue> managed(final Collection<LsfQueue> queues) {
        return queues.stream()
                .filter(queue ->
                        site.managedQueues().isEmpty() || site.managedQueues().contains(queue.name()))
                .toList();
    }

    private Set<String> closedQueues() {
        return new TreeSet<>(
                text(gateFile()).lines().filter(line -> !line.isBlank()).toList());
    }

    private Path controlFile() {
        return site.stateDir().resolve("control");
    }

    private Path gateFile() {
        return site.stateDir().resolve("gate");
    }

    private static String text(final Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(final Path file, final String text) {
        DiskFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }
}
