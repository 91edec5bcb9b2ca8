package io.millrace.agent.observe;

import io.millrace.agent.wlm.EventFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to what the workload manager writes down as it happens, on a thread of its own: a file system that hangs delays nobody. Nothing
 * depends on it: without news the cluster is looked at every poll interval.
 */
public final class EventFileWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventFileWatcher.class);
    private static final Duration EVERY = Duration.ofMillis(250);
    private static final String FOLLOWED = "followed";

    private final List<EventFileTail> files;
    private final Clock clock;
    private final Runnable wake;
    private final AtomicBoolean pending = new AtomicBoolean();
    private final Map<String, String> sources = new ConcurrentHashMap<>();
    private @Nullable Thread thread;

    /** @param wake called by its own thread when there is news */
    public EventFileWatcher(final List<EventFile> files, final Clock clock, final Runnable wake) {
        this.files = files.stream().map(EventFileTail::new).toList();
        this.clock = clock;
        this.wake = wake;
    }

    public void start() {
        if (!files.isEmpty()) {
            thread = Thread.ofPlatform().name("news").daemon().start(this::pollRepeatedly);
        }
    }

    private void pollRepeatedly() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                poll();
                Thread.sleep(EVERY);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void poll() {
        boolean any = false;
        for (final EventFileTail file : files) {
            any |= poll(file);
        }
        if (any) {
            pending.set(true);
            wake.run();
        }
    }

    private boolean poll(final EventFileTail followed) {
        try {
            final boolean told = followed.hasNewEvents(clock.instant());
            found(followed.file(), FOLLOWED);
            return told;
        } catch (final IOException e) {
            found(followed.file(), because(followed.file(), e));
            return false;
        }
    }

    static String because(final EventFile file, final IOException refused) {
        return (refused instanceof AccessDeniedException
                        ? "may not be read by this agent: " + refused.getMessage()
                        : "cannot be read: " + refused)
                + "; " + file.grant();
    }

    private void found(final EventFile file, final String state) {
        if (!state.equals(sources.put(file.name(), state))) {
            if (state.equals(FOLLOWED)) {
                LOG.info("{} is followed: the cluster is looked at as soon as something happens", file.name());
            } else {
                LOG.warn("{} {}; until then changes are seen at the next poll", file.name(), state);
            }
        }
    }

    public boolean hasEvents() {
        return pending.get();
    }

    /** A look that begins now will see whatever the news was about. */
    public void clear() {
        pending.set(false);
    }

    /** What is listened to and how that goes, by name; empty where there is nothing to listen to. */
    public Map<String, String> sources() {
        return new TreeMap<>(sources);
    }

    @Override
    public void close() {
        final Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }
}
