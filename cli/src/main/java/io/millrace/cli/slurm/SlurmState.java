package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.model.job.JobStatus;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The states of jobs in Slurm, with the letters of {@code squeue}. The one mapping from the states of Millrace. */
enum SlurmState {
    PENDING("PD"),
    RUNNING("R"),
    SUSPENDED("S"),
    COMPLETING("CG"),
    COMPLETED("CD"),
    CANCELLED("CA"),
    FAILED("F"),
    TIMEOUT("TO"),
    NODE_FAIL("NF"),
    OUT_OF_MEMORY("OOM"),
    PREEMPTED("PR"),
    BOOT_FAIL("BF"),
    CONFIGURING("CF"),
    DEADLINE("DL"),
    REQUEUED("RQ"),
    RESIZING("RS"),
    REVOKED("RV"),
    SIGNALING("SI"),
    SPECIAL_EXIT("SE"),
    STAGE_OUT("SO"),
    STOPPED("ST");

    private static final Set<SlurmState> UNFINISHED = EnumSet.of(PENDING, RUNNING, SUSPENDED, COMPLETING);

    private final String letters;

    SlurmState(final String letters) {
        this.letters = letters;
    }

    String letters() {
        return letters;
    }

    boolean isFinished() {
        return !UNFINISHED.contains(this);
    }

    /** @param job as the API shows it */
    static SlurmState of(final JsonNode job) {
        return switch (JobStatus.named(job.path("state").asText())) {
            case WAITING, HELD, UPLOADING, MAKING, QUEUED -> PENDING;
            case PREEMPTED -> PENDING; // it runs again
            case RUNNING -> RUNNING;
            case SUSPENDED -> SUSPENDED;
            case DOWNLOADING -> COMPLETING;
            case SUCCEEDED -> COMPLETED;
            case FAILED, ABORTED -> FAILED;
            case TIMED_OUT -> TIMEOUT;
            case OUT_OF_MEMORY -> OUT_OF_MEMORY;
            case NODE_FAILED -> NODE_FAIL;
            case CANCELLED -> job.path("outcome").path("kind").asText().equals("preempted") ? PREEMPTED : CANCELLED;
            case STOPPED -> CANCELLED;
        };
    }

    /**
     * The states that an option selects.
     *
     * @param words names or letters, in any case
     */
    static Set<SlurmState> named(final List<String> words) throws CommandException {
        final Set<SlurmState> states = EnumSet.noneOf(SlurmState.class);
        for (final String word : words) {
            if (word.equalsIgnoreCase("all")) {
                return EnumSet.allOf(SlurmState.class);
            }
            states.add(named(word.strip()));
        }
        return states;
    }

    private static SlurmState named(final String word) throws CommandException {
        final List<String> all = new ArrayList<>();
        for (final SlurmState state : values()) {
            if (state.name().equalsIgnoreCase(word) || state.letters.equalsIgnoreCase(word)) {
                return state;
            }
            all.add(state.name());
        }
        throw new CommandException(
                ExitCode.FAILED,
                "Invalid job state specified: " + word + "\nValid job states include: " + String.join(",", all));
    }
}
