package io.millrace.agent.openpbs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Chooses the hosts of a start. {@code qrun} asks nobody whether a job fits, so a start names hosts that have the room. */
final class Hosts {

    /**
     * A node that may take work now.
     *
     * @param words its properties and its name
     * @param gpus free ones
     * @param memory_mib what it has in all; 0: not known
     */
    record Room(String host, Set<String> words, int cores, int gpus, long memory_mib) {}

    private record Given(int cores, int gpus) {}

    private Hosts() {}

    /**
     * As {@code qrun -H} takes them; empty if they do not fit now.
     *
     * @param spread whether the cores may lie on any nodes, if they do not fit as the spec says
     * @param memory_mib what the job asks for in all
     */
    static Optional<String> choose(
            final NodeSpec spec, final boolean spread, final long memory_mib, final List<Room> rooms) {
        final Optional<String> asAsked = asAsked(spec, memory_mib, rooms);
        return asAsked.isPresent() || !spread ? asAsked : anywhere(spec, rooms);
    }

    /** Each part on nodes of its own; the pickiest first, each on the fullest node where it fits. */
    private static Optional<String> asAsked(final NodeSpec spec, final long memory_mib, final List<Room> rooms) {
        final List<NodeSpec.Part> parts = new ArrayList<>(spec.parts());
        parts.sort(Comparator.comparingInt((NodeSpec.Part part) -> -part.words().size())
                .thenComparingInt(part -> -part.gpus())
                .thenComparingInt(part -> -part.ppn()));
        final List<Room> left = new ArrayList<>(rooms);
        final Map<String, Given> chosen = new LinkedHashMap<>();
        for (final NodeSpec.Part part : parts) {
            final long memory = memory_mib * part.ppn() / Math.max(1, spec.cores());
            for (int node = 0; node < part.nodes(); node++) {
                final Optional<Room> room = left.stream()
                        .filter(one -> one.cores() >= part.ppn() && one.gpus() >= part.gpus())
                        .filter(one -> one.words().containsAll(part.words()))
                        .filter(one -> one.memory_mib() == 0 || memory <= one.memory_mib())
                        .min(Comparator.comparingInt(Room::gpus)
                                .thenComparingInt(Room::cores)
                                .thenComparing(Room::host));
                if (room.isEmpty()) {
                    return Optional.empty();
                }
                left.remove(room.get());
                chosen.put(room.get().host(), new Given(part.ppn(), part.gpus()));
            }
        }
        return Optional.of(words(chosen));
    }

    /** As many as it takes of each, the emptiest first, so that it lies on few nodes. */
    private static Optional<String> anywhere(final NodeSpec spec, final List<Room> rooms) {
        int cores = spec.cores();
        int gpus = spec.gpus();
        final Map<String, Given> chosen = new LinkedHashMap<>();
        final List<Room> order = rooms.stream()
                .filter(room -> room.cores() > 0)
                .sorted(Comparator.comparingInt(Room::gpus)
                        .thenComparingInt(Room::cores)
                        .reversed()
                        .thenComparing(Room::host))
                .toList();
        for (final Room room : order) {
            if (cores == 0) {
                break;
            }
            final Given given = new Given(Math.min(cores, room.cores()), Math.min(gpus, room.gpus()));
            chosen.put(room.host(), given);
            cores -= given.cores();
            gpus -= given.gpus();
        }
        return cores == 0 && gpus == 0 ? Optional.of(words(chosen)) : Optional.empty();
    }

    private static String words(final Map<String, Given> chosen) {
        return chosen.entrySet().stream()
                .map(one -> one.getKey() + ":ppn=" + one.getValue().cores()
                        + (one.getValue().gpus() > 0 ? ":gpus=" + one.getValue().gpus() : ""))
                .collect(Collectors.joining("+"));
    }
}
