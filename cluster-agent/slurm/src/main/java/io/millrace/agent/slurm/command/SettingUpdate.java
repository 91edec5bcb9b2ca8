package io.millrace.agent.slurm.command;

import io.millrace.agent.slurm.format.TimeLimits;
import java.time.Duration;
import java.util.List;

/**
 * {@code scontrol update} of one job setting that does not affect holds.
 *
 * @param target as written by {@code query.TargetId}
 * @param change {@code TimeLimit=90} (minutes), {@code QOS=name} or {@code Partition=main,fast}
 */
public record SettingUpdate(SlurmSite site, String target, String change) implements ChangeCommand {

    public static SettingUpdate walltime(final SlurmSite site, final String target, final Duration limit) {
        return new SettingUpdate(site, target, "TimeLimit=" + TimeLimits.write(limit));
    }

    public static SettingUpdate qos(final SlurmSite site, final String target, final String qos) {
        return new SettingUpdate(site, target, "QOS=" + qos);
    }

    public static SettingUpdate partitions(final SlurmSite site, final String target, final String names) {
        return new SettingUpdate(site, target, "Partition=" + names);
    }

    @Override
    public List<String> argv() {
        return List.of("scontrol", "update", "JobId=" + target, change);
    }

    @Override
    public String summary() {
        return "set " + change + " for " + target;
    }
}
