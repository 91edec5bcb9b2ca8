package io.millrace.agent.slurm;

import java.time.Duration;
import java.util.List;

/**
 * {@code scontrol update} of one setting that has nothing to do with holds.
 *
 * @param target see {@link Target}
 * @param change {@code TimeLimit=90} (minutes), {@code QOS=name} or {@code Partition=main,fast}
 */
record Alteration(SlurmSite site, String target, String change) implements Order {

    static Alteration walltime(final SlurmSite site, final String target, final Duration limit) {
        return new Alteration(site, target, "TimeLimit=" + Durations.write(limit));
    }

    static Alteration qos(final SlurmSite site, final String target, final String qos) {
        return new Alteration(site, target, "QOS=" + qos);
    }

    static Alteration partitions(final SlurmSite site, final String target, final String names) {
        return new Alteration(site, target, "Partition=" + names);
    }

    @Override
    public List<String> argv() {
        return List.of("scontrol", "update", "JobId=" + target, change);
    }

    @Override
    public String done() {
        return target + " has " + change;
    }
}
