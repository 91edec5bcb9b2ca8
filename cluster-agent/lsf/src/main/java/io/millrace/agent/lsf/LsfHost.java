package io.millrace.agent.lsf;

import io.millrace.model.cluster.NodeObserved.Availability;
import org.jspecify.annotations.Nullable;

/**
 * A line of {@code bhosts -w}.
 *
 * @param status {@code ok}, {@code closed_Full}…
 * @param slots null: no limit but the number of processors
 * @param usedSlots slots of running, suspended and reserving jobs
 */
record LsfHost(String name, String status, @Nullable Integer slots, int usedSlots) {

    /** Whether LSF places new work there; full and exclusively used hosts are up. */
    Availability availability() {
        return switch (status) {
            case "ok", "closed_Full", "closed_Excl", "closed_cu_Excl", "closed_Busy" -> Availability.UP;
            case "closed_Adm", "closed_Lock", "closed_Wind", "closed_EGO", "closed_RC", "closed" ->
                Availability.DRAINED;
            case "unavail", "unreach", "closed_LIM" -> Availability.DOWN;
            default -> Availability.UNKNOWN;
        };
    }

    /** Whether jobs may still be put on what is free; a host above its load thresholds or used exclusively takes none. */
    boolean acceptsJobs() {
        return status.equals("ok");
    }

    @Nullable
    String reason() {
        return switch (status) {
            case "ok", "closed_Full" -> null;
            case "closed_Excl", "closed_cu_Excl" -> "used by an exclusive job (" + status + ")";
            case "closed_Busy" -> "its load is above the thresholds of LSF (closed_Busy)";
            case "closed_Adm" -> "closed by an administrator (closed_Adm); badmin hopen " + name + " opens it";
            case "closed_Lock" -> "locked by an administrator or by itself (closed_Lock)";
            case "closed_Wind" -> "outside its dispatch window (closed_Wind)";
            case "closed_EGO" -> "not allotted to LSF by EGO (closed_EGO)";
            case "closed_LIM" -> "its LIM cannot be reached, sbatchd answers (closed_LIM)";
            case "unavail" -> "LIM and sbatchd there do not answer (unavail)";
            case "unreach" -> "its sbatchd does not answer (unreach)";
            default -> status;
        };
    }
}
