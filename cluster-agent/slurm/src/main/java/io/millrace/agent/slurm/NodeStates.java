package io.millrace.agent.slurm;

import io.millrace.model.cluster.NodeObserved.Availability;

/** State words of sinfo(1), with the signs that may follow them. */
final class NodeStates {

    private NodeStates() {}

    static Availability availability(final String state) {
        final String word = state.replaceAll("[*~#!%$@^+-]+$", "");
        final String signs = state.substring(word.length());
        // It does not answer; it is being powered down; its reboot has begun.
        if (signs.contains("*") || signs.contains("%") || signs.contains("^")) {
            return Availability.DOWN;
        }
        // In a reservation for maintenance; to be powered down when idle.
        if (signs.contains("$") || signs.contains("!")) {
            return word.equals("down") ? Availability.DOWN : of(word, Availability.DRAINED);
        }
        return of(word, Availability.UP);
    }

    private static Availability of(final String word, final Availability wellOne) {
        return switch (word) {
            // A powered-down node (~) is woken for a job, one that powers up (#) or waits for its reboot (@) takes
            // jobs.
            case "idle", "mixed", "mix", "allocated", "alloc", "completing", "comp", "planned", "plnd" -> wellOne;
            case "drained",
                    "draining",
                    "drain",
                    "drng",
                    "maint",
                    "reserved",
                    "resv",
                    "blocked",
                    "block",
                    "reboot",
                    "reboot_requested" -> Availability.DRAINED;
            case "down",
                    "fail",
                    "failing",
                    "failg",
                    "power_down",
                    "powering_down",
                    "powered_down",
                    "power_up",
                    "powering_up",
                    "future",
                    "reboot_issued",
                    "inval",
                    "no_respond",
                    "npc",
                    "perfctrs" -> Availability.DOWN;
            default -> Availability.UNKNOWN;
        };
    }
}
