package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.UserCommand;
import io.millrace.model.PartitionName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows the command with which a user submits an array. Millrace submits none itself; the acceptance test uses it. */
public interface ArrayCommands {

    UserCommand submit(UserArray array);

    /**
     * An array of jobs of one core with the indices 1 to {@code tasks}.
     *
     * @param partition null: the default partition
     * @param directory working directory of the command; the output goes there
     */
    record UserArray(
            String name,
            @Nullable PartitionName partition,
            int tasks,
            Duration walltime,
            String script,
            String directory) {

        public String indices() {
            return "1-" + tasks;
        }

        /** Adds the partition, if there is one, to the command. */
        public List<String> with(final String option, final List<String> command) {
            final List<String> argv = new ArrayList<>(command);
            if (partition != null) {
                argv.addAll(List.of(option, partition.value()));
            }
            return argv;
        }
    }
}
