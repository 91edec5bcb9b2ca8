package io.millrace.agent.lsf.observe;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.lsf.query.GpuQuery;
import io.millrace.agent.lsf.query.HostGroupQuery;
import io.millrace.agent.lsf.query.HostHardware;
import io.millrace.agent.lsf.query.HostHardwareQuery;
import io.millrace.agent.lsf.query.HostQuery;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.lsf.query.QueueQuery;
import io.millrace.agent.wlm.Answer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries hosts and queues. Data that changes only with the cluster configuration is cached. */
public final class ClusterTopology {

    private static final Duration CACHE_TIME = Duration.ofMinutes(10);

    private record Cached(
            Instant at, Map<String, HostHardware> machines, boolean hasGpus, Map<String, Set<String>> groups) {}

    private final LsfSite site;
    private final Runner runner;
    private final Clock clock;
    private @Nullable Cached cached;
    private volatile List<LsfQueue> lastQueues = List.of();

    public ClusterTopology(final LsfSite site, final Runner runner, final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
    }

    public Answer<List<LsfQueue>> queues() {
        return runner.run(new QueueQuery(site)).map(queues -> {
            lastQueues = queues;
            return queues;
        });
    }

    /** The queues as last observed. */
    public List<LsfQueue> lastSeen() {
        return lastQueues;
    }

    /** The queue as last observed; null if it never was. */
    @Nullable
    public LsfQueue lastSeen(final String name) {
        return lastQueues.stream()
                .filter(queue -> queue.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    public Answer<HostSnapshot> hosts(final LsfVersion version) {
        return runner.run(new HostQuery(site))
                .then(hosts -> cached(version)
                        .then(cache -> gpus(cache)
                                .map(gpus ->
                                        new HostSnapshot(site.cluster(), hosts, cache.machines, gpus, cache.groups))));
    }

    private Answer<Map<String, GpuQuery.Gpus>> gpus(final Cached cache) {
        return cache.hasGpus ? runner.run(new GpuQuery(site)) : Answer.ok(Map.of());
    }

    private synchronized Answer<Cached> cached(final LsfVersion version) {
        final Cached cache = cached;
        final Instant now = clock.instant();
        if (cache != null && now.isBefore(cache.at.plus(CACHE_TIME))) {
            return Answer.ok(cache);
        }
        final Answer<Cached> fresh = runner.run(new HostHardwareQuery(site))
                .then(machines -> runner.run(new HostGroupQuery(site))
                        .then(groups -> hasGpus(version).map(gpus -> new Cached(now, machines, gpus, groups))));
        if (fresh instanceof Answer.Ok<Cached> ok) {
            cached = ok.value();
        }
        return fresh;
    }

    private Answer<Boolean> hasGpus(final LsfVersion version) {
        return version.isLsf() && version.major() >= 10
                ? runner.run(new GpuQuery(site)).map(gpus -> !gpus.isEmpty())
                : Answer.ok(false);
    }
}
