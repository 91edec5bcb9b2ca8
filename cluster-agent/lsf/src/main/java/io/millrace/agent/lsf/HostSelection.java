package io.millrace.agent.lsf;

import io.millrace.agent.lsf.observe.HostSnapshot;
import io.millrace.agent.lsf.query.JobRequest;
import io.millrace.agent.lsf.query.LsfHost;
import io.millrace.decide.FilledNodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selects the hosts that {@code brun} starts a job on, because brun checks neither use nor {@code span[]} itself. LSF accepts
 * {@code host#slots}. OpenLava ignores repeated names and fills each host, in this order, up to its slots (MXJ) whatever is in use. So only
 * hosts are named on which it would use exactly the slots that the job may have there.
 */
final class HostSelection {

    /** @param slots all slots of the host; @param free those not in use */
    private record Candidate(String host, int slots, int free) {}

    private HostSelection() {}

    /**
     * @param requested hosts requested by the job; empty for any
     * @param allowed hosts of the queue
     * @param counted whether the command accepts a number of slots for each host
     * @return the value of {@code -m} as words; empty if there is not enough free capacity
     */
    static List<String> of(
            final JobRequest request,
            final Set<String> requested,
            final Set<String> allowed,
            final HostSnapshot nodes,
            final boolean counted) {
        final int slots = request.resources().cores();
        final List<Candidate> candidates = nodes.hosts().stream()
                .filter(LsfHost::acceptsJobs)
                .filter(host -> allowed.contains(host.name()))
                .filter(host -> requested.isEmpty() || requested.contains(host.name()))
                .filter(host ->
                        nodes.features(host).containsAll(request.placement().features()))
                .filter(host -> !request.placement().exclusive() || host.usedSlots() == 0)
                .map(host -> new Candidate(host.name(), nodes.slots(host), nodes.slots(host) - host.usedSlots()))
                .filter(candidate -> candidate.free() > 0)
                // One host if it suffices, the fullest such host; otherwise the emptiest hosts first, so that the job
                // uses few hosts.
                .sorted(Comparator.comparing((Candidate candidate) -> candidate.free() < slots)
                        .thenComparing(candidate -> candidate.free() < slots ? -candidate.free() : candidate.free())
                        .thenComparing(Candidate::host))
                .toList();
        final int perHost = request.placement().coresPerNode();
        return counted
                ? parts(slots, perHost, candidates)
                : new FilledNodes<>(Candidate::slots, Candidate::free)
                        .choose(slots, perHost, candidates).stream()
                                .map(Candidate::host)
                                .toList();
    }

    /** What is left of the hosts when the job has started on these. */
    static HostSnapshot taken(final JobRequest request, final List<String> chosen, final HostSnapshot nodes) {
        final Map<String, Integer> used = new HashMap<>();
        int left = request.resources().cores();
        for (final String word : chosen) {
            final int mark = word.lastIndexOf('#');
            final String name = mark < 0 ? word : word.substring(0, mark);
            final int free = nodes.hosts().stream()
                    .filter(host -> host.name().equals(name))
                    .mapToInt(host -> nodes.slots(host) - host.usedSlots())
                    .sum();
            final int taken = mark < 0 ? Math.min(left, free) : Integer.parseInt(word.substring(mark + 1));
            used.put(name, request.placement().exclusive() ? free : taken);
            left -= taken;
        }
        return nodes.with(nodes.hosts().stream()
                .map(host -> host.using(used.getOrDefault(host.name(), 0)))
                .toList());
    }

    private static List<String> parts(final int slots, final int perHost, final List<Candidate> candidates) {
        final List<String> hosts = new ArrayList<>();
        int left = slots;
        for (final Candidate candidate : candidates) {
            final int used = Math.min(left, perHost > 0 ? perHost : candidate.free());
            if (left > 0 && used <= candidate.free()) {
                hosts.add(candidate.host() + "#" + used);
                left -= used;
            }
        }
        return left > 0 ? List.of() : hosts;
    }
}
