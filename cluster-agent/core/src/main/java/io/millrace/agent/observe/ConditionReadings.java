package io.millrace.agent.observe;

import io.millrace.agent.AgentSettings;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ConditionReporting;
import io.millrace.model.cluster.ClusterConditions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What limits jobs beside nodes and partitions: the free space of the staging directory and, if the adapter reports them, licences and
 * maintenance windows. It is read on its own thread, so that a file system that does not answer delays no observation.
 */
public final class ConditionReadings {

    private static final Logger LOG = LoggerFactory.getLogger(ConditionReadings.class);
    private static final Duration INTERVAL = Duration.ofSeconds(20);
    private static final long MIB = 1024 * 1024;

    private final AgentSettings settings;
    private final WorkloadManager wlm;
    private final Clock clock;
    private volatile @Nullable ClusterConditions latest;
    private volatile boolean reading;
    private Instant startedAt = Instant.MIN;

    public ConditionReadings(final AgentSettings settings, final WorkloadManager wlm, final Clock clock) {
        this.settings = settings;
        this.wlm = wlm;
        this.clock = clock;
    }

    /** The latest reading; null before the first. Starts the next one if it is due. */
    @Nullable
    ClusterConditions current() {
        final Instant now = clock.instant();
        if (!reading && !now.isBefore(startedAt.plus(INTERVAL))) {
            reading = true;
            startedAt = now;
            Thread.ofPlatform().daemon().name("conditions").start(this::readOnce);
        }
        return latest;
    }

    private void readOnce() {
        try {
            latest = read();
        } finally {
            reading = false;
        }
    }

    ClusterConditions read() {
        final ClusterConditions reported = reported();
        return new ClusterConditions(settings.cluster(), stagingFreeMib(), reported.licences(), reported.maintenance());
    }

    private ClusterConditions reported() {
        final ClusterConditions before = latest;
        final ClusterConditions known = before == null ? ClusterConditions.unknown(settings.cluster()) : before;
        if (!(wlm.find(ConditionReporting.class) instanceof ConditionReporting reporting)) {
            return known;
        }
        return switch (AdapterCall.of("conditions of '" + settings.cluster() + "'", reporting::conditions)) {
            case Answer.Ok<ClusterConditions> ok -> ok.value();
            case Answer.Trouble<ClusterConditions> trouble -> {
                LOG.debug("cannot read licences and maintenance windows: {}", trouble.reason());
                yield known;
            }
        };
    }

    /** Null if the staging directory does not exist here, for example because it is on another host. */
    private @Nullable Long stagingFreeMib() {
        final Path root = settings.stagingRoot();
        if (root == null || !Files.isDirectory(root)) {
            return null;
        }
        try {
            return twoDigits(Files.getFileStore(root).getUsableSpace() / MIB);
        } catch (final IOException e) {
            LOG.debug("cannot read the free space of {}: {}", root, e.toString());
            return null;
        }
    }

    /** Rounded down to two significant digits, so that not every written file is published. */
    static long twoDigits(final long value) {
        long unit = 1;
        while (value / unit >= 100) {
            unit *= 10;
        }
        return value / unit * unit;
    }
}
