package io.millrace.agent.lsf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Which hosts {@code brun} is to name: it looks at nothing itself. LSF takes {@code host#slots}; the work-alike takes names and fills each
 * host, in this order, up to its number of processors.
 */
final class HostSelection {

    /** @param usable slots that the job could get from it if it were named next */
    private record Room(String host, int free, int processors) {}

    private HostSelection() {}

    /**
     * @param perHost exactly so many slots on each host; 0: any
     * @param asked hosts the job names itself; empty: any
     * @param counted whether the number of slots can be said for each host
     * @return the words behind {@code -m}; empty if there is no room
     */
    static List<String> of(
            final int slots,
            final int perHost,
            final Set<String> asked,
            final Set<String> allowed,
            final HostSnapshot nodes,
            final boolean counted) {
        final List<Room> rooms = nodes.hosts().stream()
                .filter(LsfHost::acceptsJobs)
                .filter(host -> allowed.contains(host.name()))
                .filter(host -> asked.isEmpty() || asked.contains(host.name()))
                .map(host -> new Room(
                        host.name(), nodes.slots(host) - host.usedSlots(), processors(host, nodes.hardware(), nodes)))
                .filter(room -> room.free() > 0)
                // One host if one suffices, the fullest that does; else the emptiest first, so that it gets few.
                .sorted(Comparator.comparing((Room room) -> room.free() < slots)
                        .thenComparing(room -> room.free() < slots ? -room.free() : room.free())
                        .thenComparing(Room::host))
                .toList();
        return counted ? withNumbers(slots, perHost, rooms) : byName(slots, rooms);
    }

    private static int processors(final LsfHost host, final Map<String, HostHardware> machines, final HostSnapshot nodes) {
        final HostHardware machine = machines.get(host.name());
        return machine == null || machine.processors() == 0 ? nodes.slots(host) : machine.processors();
    }

    private static List<String> withNumbers(final int slots, final int perHost, final List<Room> rooms) {
        final List<String> words = new ArrayList<>();
        int left = slots;
        for (final Room room : rooms) {
            final int here = Math.min(left, perHost > 0 ? perHost : room.free());
            if (left > 0 && here <= room.free()) {
                words.add(room.host() + "#" + here);
                left -= here;
            }
        }
        return left > 0 ? List.of() : words;
    }

    /**
     * A host that would get more slots than it has free is passed over. Where a host has more slots than processors it is left to brun
     * whether it fills them: it refuses what it cannot place.
     */
    private static List<String> byName(final int slots, final List<Room> rooms) {
        final List<String> sure = byName(slots, rooms, Room::processors);
        return sure.isEmpty() ? byName(slots, rooms, room -> Math.max(room.free(), room.processors())) : sure;
    }

    private static List<String> byName(final int slots, final List<Room> rooms, final ToIntFunction<Room> filledUpTo) {
        final List<String> words = new ArrayList<>();
        int left = slots;
        for (final Room room : rooms) {
            final int here = Math.min(left, filledUpTo.applyAsInt(room));
            if (left > 0 && here <= room.free()) {
                words.add(room.host());
                left -= here;
            }
        }
        return left > 0 ? List.of() : words;
    }
}
