package io.millrace.agent.lsf;

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
import java.util.Set;
import java.util.TreeSet;

/**
 * The gate of a directed cluster: its queues take jobs in and start none ({@code badmin qinact}). Which of them the agent has made
 * inactive stands in a file, so that one that an administrator has stopped stays stopped when the gate opens. The watchdog reads both
 * files.
 */
final class QueueGate {

    private final LsfSite site;
    private final CommandExecutor orders;

    QueueGate(final LsfSite site, final CommandExecutor orders) {
        this.site = site;
        this.orders = orders;
        try {
            Files.createDirectories(site.stateDir());
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot make " + site.stateDir() + "; set millrace.agent.lsf.state-dir to a folder the agent owns", e);
        }
    }

    /** Directed only while every queue that Millrace decides for is really shut. */
    Control control(final Collection<LsfQueue> queues) {
        final List<LsfQueue> managed = managed(queues);
        return text(controlFile()).strip().equals("directed")
                        && !managed.isEmpty()
                        && managed.stream().allMatch(LsfQueue::inactive)
                ? Control.DIRECTED
                : Control.NATIVE;
    }

    /** Whether this queue is inactive because we made it so. */
    boolean isClosedByAgent(final LsfQueue queue) {
        return queue.inactive() && shut().contains(queue.name());
    }

    Answer<Accepted> close(final Collection<LsfQueue> queues) {
        final Set<String> shut = new TreeSet<>(shut());
        final List<String> active = new ArrayList<>();
        for (final LsfQueue queue : managed(queues)) {
            if (!queue.inactive()) {
                active.add(queue.name());
            }
        }
        shut.addAll(active);
        // Written first: cut off between the two, the gate knows what it may open again.
        write(gateFile(), String.join("\n", shut) + "\n");
        return order("qinact", active).map(done -> {
            write(controlFile(), "directed\n");
            return new Accepted("the queues " + shut + " start nothing by themselves now");
        });
    }

    Answer<Accepted> open(final Collection<LsfQueue> queues) {
        write(controlFile(), "native\n");
        final Set<String> shut = shut();
        final List<String> mine = queues.stream()
                .filter(LsfQueue::inactive)
                .map(LsfQueue::name)
                .filter(shut::contains)
                .toList();
        return order("qact", mine).map(done -> {
            write(gateFile(), "");
            return new Accepted("the queues " + mine + " start jobs again");
        });
    }

    private Answer<Accepted> order(final String verb, final List<String> queues) {
        if (queues.isEmpty()) {
            return Answer.ok(new Accepted("nothing to do"));
        }
        final List<String> words = new ArrayList<>(List.of("badmin", verb));
        words.addAll(queues);
        return orders.run(words);
    }

    private List<LsfQueue> managed(final Collection<LsfQueue> queues) {
        return queues.stream()
                .filter(queue -> site.managedQueues().isEmpty() || site.managedQueues().contains(queue.name()))
                .toList();
    }

    private Set<String> shut() {
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
