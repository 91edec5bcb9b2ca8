package io.millrace.agent.observe;

import io.millrace.agent.wlm.EventFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the event files of the workload manager on a separate thread, so that a hanging file system does not block the agent. Without
 * events the cluster is polled at the normal interval.
 */
public final class EventFileWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventFileWatcher.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final String FOLLOWED = "followed";
    private static final String MISSING = "does not exist; followed as soon as it does";

    private final List<EventFileTail> files;
    private final Clock clock;
    private final Runnable wake;
    private final AtomicBoolean pending = new AtomicBoolean();
    private final Map<String, String> sources = new ConcurrentHashMap<>();
    /** Files that exist and had events since they did. */
    private final Set<EventFileTail> receiving = ConcurrentHashMap.newKeySet();

    private @Nullable Thread thread;

    /** @param wake called on the watcher thread when there are events */
    public EventFileWatcher(final List<EventFile> files, final Clock clock, final Runnable wake) {
        this.files = files.stream().map(EventFileTail::new).toList();
        this.clock = clock;
        this.wake = wake;
    }

    public void start() {
        if (!files.isEmpty()) {
            thread = Thread.ofPlatform().name("event-files").daemon().start(this::pollRepeatedly);
        }
    }

    private void pollRepeatedly() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                poll();
                Thread.sleep(POLL_INTERVAL);
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
        boolean changed = false;
        boolean exists = false;
        try {
            changed = followed.hasNewEvents(clock.instant());
            exists = !followed.isMissing();
            found(followed.file(), exists ? FOLLOWED : MISSING);
        } catch (final IOException e) {
            found(followed.file(), reason(followed.file(), e));
        }
        if (!exists) {
            receiving.remove(followed);
        } else if (changed) {
            receiving.add(followed);
        }
        return changed;
    }

    static String reason(final EventFile file, final IOException refused) {
        return (refused instanceof AccessDeniedException
                        ? "permission denied: " + refused.getMessage()
                        : "cannot be read: " + refused)
                + "; " + file.grant();
    }

    private void found(final EventFile file, final String state) {
        if (!state.equals(sources.put(file.name(), state))) {
            if (state.equals(FOLLOWED)) {
                LOG.info("following {}: the cluster is polled as soon as it changes", file.name());
            } else if (state.equals(MISSING)) {
                LOG.info("event file {} {}", file.name(), state);
            } else {
                LOG.warn("event file {} {}; changes are seen at the next poll", file.name(), state);
            }
        }
    }

    public boolean hasEvents() {
        return pending.get();
    }

    /** Whether events of the workload manager reach the agent: not from a file that is missing, or in which nothing was ever written. */
    public boolean isReceiving() {
        return !receiving.isEmpty();
    }

    /** Clears the flag before a poll, which will show the effect of all events so far. */
    public void clear() {
        pending.set(false);
    }

    /** State of each followed file by name; empty if there is none. */
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
