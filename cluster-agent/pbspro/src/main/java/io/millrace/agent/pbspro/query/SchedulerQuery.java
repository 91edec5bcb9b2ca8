package io.millrace.agent.pbspro.query;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.wlm.Answer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads how the scheduler preempts: {@code qmgr -c 'list sched'}, or before version 19 the same settings in sched_config. */
public record SchedulerQuery(PbsSite site) implements CommandLine<SchedulerQuery.Preemption> {

    private static final String LINE =
            "qmgr -c 'set sched default preempt_prio = \"express_queue, normal_jobs," + " server_softlimits\"'";

    @Override
    public List<String> argv() {
        return new Qmgr.Show(site, "list sched").argv();
    }

    @Override
    public Map<String, String> environment() {
        return site.queryEnvironment();
    }

    @Override
    public Answer<Preemption> read(final CommandResult result) {
        return new Qmgr.Show(site, "list sched").read(result).map(schedulers -> {
            final PbsObject one = schedulers.stream()
                    .filter(scheduler -> scheduler.name().equals("default"))
                    .findFirst()
                    .orElse(schedulers.isEmpty() ? new PbsObject("none", Map.of()) : schedulers.get(0));
            return new Preemption(
                    one.get("preempt_prio", ""), one.get("preempt_order", ""), one.get("sched_priv", ""), "");
        });
    }

    /** The settings of sched_config; empty if it cannot be read. */
    public record Config(String file) implements CommandLine<Map<String, String>> {
        @Override
        public List<String> argv() {
            return List.of("cat", "--", file);
        }

        @Override
        public Answer<Map<String, String>> read(final CommandResult result) {
            final Map<String, String> settings = new HashMap<>();
            result.outputText().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                final int colon = line.indexOf(':');
                if (colon > 0) {
                    settings.putIfAbsent(
                            line.substring(0, colon).strip(),
                            line.substring(colon + 1).strip());
                }
            });
            return Answer.ok(settings);
        }
    }

    /**
     * Preemption settings.
     *
     * @param prio job classes, highest priority first
     * @param order steps: S suspend, C checkpoint, R requeue
     * @param folder folder of sched_config
     * @param preempts value of preemptive_sched, e.g. {@code true ALL}; empty if unreadable
     */
    public record Preemption(String prio, String order, String folder, String preempts) {

        /** The same settings, completed by those of sched_config. */
        public Preemption with(final Map<String, String> config) {
            return new Preemption(
                    prio.isEmpty() ? config.getOrDefault("preempt_prio", "") : prio,
                    order.isEmpty() ? config.getOrDefault("preempt_order", "") : order,
                    folder,
                    config.getOrDefault("preemptive_sched", preempts));
        }

        /** Why soft limits do not enforce the quotas of paper 1; empty if they do. */
        public Optional<String> missing() {
            final List<String> kinds = Arrays.stream(
                            prio.toLowerCase(Locale.ROOT).replace("\"", "").split(","))
                    .map(String::strip)
                    .toList();
            if (preempts.toLowerCase(Locale.ROOT).startsWith("false")) {
                return Optional.of("preemption is disabled; set 'preemptive_sched: true ALL' in " + folder
                        + "/sched_config and send pbs_sched a SIGHUP");
            }
            if (!kinds.contains("server_softlimits")) {
                return Optional.of(
                        "the scheduler does not preempt by soft limits (preempt_prio is '" + prio + "'); " + LINE);
            }
            if (kinds.indexOf("server_softlimits") < kinds.indexOf("normal_jobs")) {
                return Optional.of("preempt_prio lists server_softlimits before normal_jobs; " + LINE);
            }
            // "R", or with percentages of the remaining time, "SCR 80 SR 50 R": every step must be R.
            return order.replaceAll("[\"\\s\\d]", "").matches("R+")
                    ? Optional.empty()
                    : Optional.of("preempt_order is '" + order
                            + "', so victims are suspended and keep their memory; qmgr -c 'set sched default"
                            + " preempt_order = R'");
        }
    }
}
