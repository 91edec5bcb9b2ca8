package io.millrace.agent.slurm;

/**
 * The id by which exactly one row of squeue is named to Slurm's commands. Tasks of an array that wait together are one row under the
 * array's id; that id in an order would mean the running tasks too, so the waiting ones are named one by one: {@code 7_[3,5,20-40]}.
 * The first part of a heterogeneous job stands for the whole: Slurm orders its parts together only.
 */
final class TargetId {

    private TargetId() {}

    static String of(final QueuedJob job) {
        final String shown = job.cell("jobarrayid");
        if (isPendingArray(job)) {
            return shown.replaceFirst("%\\d+]$", "]"); // how many at once stays as it is
        }
        return isHeterogeneous(job) ? shown.substring(0, shown.indexOf('+')) : shown;
    }

    /** Whether the row is the tasks of an array that still wait together. */
    static boolean isPendingArray(final QueuedJob job) {
        return job.cell("jobarrayid").indexOf('[') >= 0;
    }

    /** The task of these that Slurm would start first: {@code 7_3}. */
    static String nextTask(final QueuedJob job) {
        final String tasks = of(job);
        final int open = tasks.indexOf('[');
        int end = open + 1;
        while (Character.isDigit(tasks.charAt(end))) {
            end++;
        }
        return tasks.substring(0, open) + tasks.substring(open + 1, end);
    }

    /** Whether the row is a part of a heterogeneous job: {@code 9+0}, {@code 9+1}. */
    static boolean isHeterogeneous(final QueuedJob job) {
        return job.cell("jobarrayid").indexOf('+') >= 0;
    }

    static boolean isLaterComponent(final QueuedJob job) {
        return isHeterogeneous(job) && !job.cell("jobarrayid").endsWith("+0");
    }
}
