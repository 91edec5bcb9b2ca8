package io.millrace.agent.lsf;

import io.millrace.agent.lsf.observe.HostSnapshot;
import io.millrace.agent.lsf.query.HostHardware;
import io.millrace.agent.lsf.query.LsfHost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Selects the hosts that {@code brun} starts a job on, because brun checks nothing itself. LSF accepts {@code host#slots}. OpenLava accepts
 * host names and fills each host, in this order, up to its number of processors.
 */
final class HostSelection {

    /**
     * @param free free slots
     * @param processors the number of processors, up to which OpenLava fills a host
     */
    private record Candidate(String host, int free, int processors) {}

    private HostSelection() {}

    /**
     * @param slots slots of the job
     * @param perHost exact number of slots on each host; 0 for any
     * @param requested hosts requested by the job; empty for any
     * @param allowed hosts of the queue
     * @param counted whether the command accepts a number of slots for each host
     * @return the value of {@code -m} as words; empty if there is not enough free capacity
     */
    static List<String> of(
            final int slots,
            final int perHost,
            final Set<String> requested,
            final Set<String> allowed,
            final HostSnapshot nodes,
            final boolean counted) {
        final List<Candidate> candidates = nodes.hosts().stream()
                .filter(LsfHost::acceptsJobs)
                .filter(host -> allowed.contains(host.name()))
                .filter(host -> requested.isEmpty() || requested.contains(host.name()))
                .map(host -> new Candidate(
                        host.name(), nodes.slots(host) - host.usedSlots(), processors(host, nodes.hardware(), nodes)))
                .filter(candidate -> candidate.free() > 0)
                // One host if it suffices, the fullest such host; otherwise the emptiest hosts first, so that the job
                // uses few hosts.
                .sorted(Comparator.comparing((Candidate candidate) -> candidate.free() < slots)
                        .thenComparing(candidate -> candidate.free() < slots ? -candidate.free() : candidate.free())
                        .thenComparing(Candidate::host))
                .toList();
        return counted ? withSlotCounts(slots, perHost, candidates) : byName(slots, candidates);
    }

    private static int processors(
            final LsfHost host, final Map<String, HostHardware> machines, final HostSnapshot nodes) {
        final HostHardware machine = machines.get(host.name());
        return machine == null || machine.processors() == 0 ? nodes.slots(host) : machine.processors();
    }

    private static List<String> withSlotCounts(final int slots, final int perHost, final List<Candidate> candidates) {
        final List<String> hosts = new ArrayList<>();
        int left = slots;
        for (final Candidate candidate : candidates) {
            final int here = Math.min(left, perHost > 0 ? perHost : candidate.free());
            if (left > 0 && here <= candidate.free()) {
                hosts.add(candidate.host() + "#" + here);
                left -= here;
            }
        }
        return left > 0 ? List.of() : hosts;
    }

    /**
     * Skips a host on which OpenLava would use more slots than are free. Where a host has more slots than processors, brun decides whether
     * to fill them: it refuses what it cannot place.
     */
    private static List<String> byName(final int slots, final List<Candidate> candidates) {
        final List<String> fitting = byName(slots, candidates, Candidate::processors);
        return fitting.isEmpty()
                ? byName(slots, candidates, candidate -> Math.max(candidate.free(), candidate.processors()))
                : fitting;
    }

    private static List<String> byName(
            final int slots, final List<Candidate> candidates, final ToIntFunction<Candidate> filledUpTo) {
        final List<String> hosts = new ArrayList<>();
        int left = slots;
        for (final Candidate candidate : candidates) {
            final int here = Math.min(left, filledUpTo.applyAsInt(candidate));
            if (left > 0 && here <= candidate.free()) {
                hosts.add(candidate.host());
                left -= here;
            }
        }
        return left > 0 ? List.of() : hosts;
    }
}
