package io.millrace.agent.lsf.query;

import io.millrace.model.cluster.NodeObserved.Availability;
import org.jspecify.annotations.Nullable;

/**
 * A line of {@code bhosts -w}.
 *
 * @param status {@code ok}, {@code closed_Full}…
 * @param slots null if limited only by the number of processors
 * @param usedSlots slots of running, suspended and reserving jobs
 */
public record LsfHost(String name, String status, @Nullable Integer slots, int usedSlots) {

    /** The availability. A host that is full or in exclusive use is up. */
    public Availability availability() {
        return switch (status) {
            case "ok", "closed_Full", "closed_Excl", "closed_cu_Excl", "closed_Busy" -> Availability.UP;
            case "closed_Adm", "closed_Lock", "closed_Wind", "closed_EGO", "closed_RC", "closed" ->
                Availability.DRAINED;
            case "unavail", "unreach", "closed_LIM" -> Availability.DOWN;
            default -> Availability.UNKNOWN;
        };
    }

    /** Whether jobs can be placed on its free slots. A host above its load thresholds or in exclusive use accepts none. */
    public boolean acceptsJobs() {
        return status.equals("ok");
    }

    /** The same host with so many more used slots. */
    public LsfHost using(final int more) {
        return more == 0 ? this : new LsfHost(name, status, slots, usedSlots + more);
    }

    @Nullable
    public String reason() {
        return switch (status) {
            case "ok", "closed_Full" -> null;
            case "closed_Excl", "closed_cu_Excl" -> "used by an exclusive job (" + status + ")";
            case "closed_Busy" -> "load above the thresholds (closed_Busy)";
            case "closed_Adm" -> "closed by an administrator (closed_Adm); open it with: badmin hopen " + name;
            case "closed_Lock" -> "locked by an administrator or by an exclusive job (closed_Lock)";
            case "closed_Wind" -> "outside its dispatch window (closed_Wind)";
            case "closed_EGO" -> "not allocated to LSF by EGO (closed_EGO)";
            case "closed_LIM" -> "LIM is unreachable, sbatchd responds (closed_LIM)";
            case "unavail" -> "LIM and sbatchd do not respond (unavail)";
            case "unreach" -> "sbatchd does not respond (unreach)";
            default -> status;
        };
    }
}
