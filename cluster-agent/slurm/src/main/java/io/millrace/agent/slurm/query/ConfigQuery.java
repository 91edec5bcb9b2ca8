package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code scontrol show config}: slurmctld's active settings, which may differ from the current slurm.conf. */
public record ConfigQuery(SlurmSite site) implements QueryCommand<ConfigQuery.Config> {

    private static final Pattern LINE = Pattern.compile("(\\w+)\\s*= ?(.*)");

    /** Settings by name. */
    public record Config(Map<String, String> settings) {

        public Config {
            settings = Map.copyOf(settings);
        }

        /** The value; empty if not set. */
        public String get(final String name) {
            final String value = settings.getOrDefault(name, "").strip();
            return value.equals("(null)") ? "" : value;
        }

        /** Whether the comma-separated value contains this item, in any case. */
        public boolean has(final String name, final String item) {
            for (final String one : get(name).split(",")) {
                if (one.strip().equalsIgnoreCase(item)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public List<String> argv() {
        return List.of("scontrol", "show", "config");
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Answer<Config> read(final CommandResult result) {
        if (!result.succeeded() || !result.errorText().isEmpty()) {
            return SlurmErrors.of("'scontrol show config'", result, Answer.Kind.UNREADABLE);
        }
        final Map<String, String> settings = new HashMap<>();
        for (final String line : result.outputText().lines().toList()) {
            final Matcher setting = LINE.matcher(line);
            if (setting.matches()) {
                settings.put(setting.group(1), setting.group(2));
            }
        }
        return settings.containsKey("ClusterName")
                ? Answer.ok(new Config(settings))
                : Answer.trouble(Answer.Kind.UNREADABLE, "the output of 'scontrol show config' lacks ClusterName");
    }
}
