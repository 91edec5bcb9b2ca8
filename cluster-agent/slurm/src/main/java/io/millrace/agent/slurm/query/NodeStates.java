package io.millrace.agent.slurm.query;

import io.millrace.model.cluster.NodeObserved.Availability;

/** Converts the node states of sinfo(1), including the flags that may follow a state. */
final class NodeStates {

    private static final String FLAGS = "*~#!%$@^+-";

    private NodeStates() {}

    static Availability availability(final String state) {
        int end = state.length();
        while (end > 0 && FLAGS.indexOf(state.charAt(end - 1)) >= 0) {
            end--;
        }
        final String name = state.substring(0, end);
        final String flags = state.substring(end);
        // Not responding; powering down; rebooting.
        if (flags.contains("*") || flags.contains("%") || flags.contains("^")) {
            return Availability.DOWN;
        }
        // In a maintenance reservation; will power down when idle.
        if (flags.contains("$") || flags.contains("!")) {
            return name.equals("down") ? Availability.DOWN : of(name, Availability.DRAINED);
        }
        return of(name, Availability.UP);
    }

    private static Availability of(final String name, final Availability ifHealthy) {
        return switch (name) {
            // Slurm powers up a powered-down node (~) for a job. A node that powers up (#) or has a pending reboot (@)
            // accepts jobs.
            case "idle", "mixed", "mix", "allocated", "alloc", "completing", "comp", "planned", "plnd" -> ifHealthy;
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
