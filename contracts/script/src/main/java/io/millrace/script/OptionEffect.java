package io.millrace.script;

/** What an option changes about a job, according to the manual of its workload manager. */
public enum OptionEffect {
    /** Processes, cores, memory, GPUs, number of tasks or walltime. */
    SIZE,
    /** What must have happened before the job starts: dependencies, times, holds. */
    ORDER,
    /** The nodes that can run the job, and with whom it shares them. */
    PLACE,
    /** In whose name, on whose account and with which rank it runs. */
    RIGHTS,
    /** None of these: names, files, mail, limits, preferences, binding to cores. */
    NOTHING;

    /** Whether a job without the option would be another one than its owner described. */
    public boolean isEssential() {
        return this == SIZE || this == ORDER || this == PLACE;
    }
}
