package io.millrace.agent.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ConditionReporting;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.model.NodeName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.Maintenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Licences and maintenance windows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slurm")
class ConditionsLiveIT {

    private SlurmLab lab;
    private WorkloadManager slurm;

    @BeforeAll
    void open() throws IOException {
        lab = SlurmLab.open();
        slurm = lab.wlm();
        lab.directory();
        Files.writeString(lab.site().conf(), "Licenses=matlab:5,ansys:2\n", StandardOpenOption.APPEND);
        lab.asRoot("scontrol", "reconfigure").get();
        slurm.get(ControlSwitching.class).control(Control.NATIVE).get();
    }

    @AfterAll
    void close() {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void tokens_of_running_jobs_are_not_free() {
        lab.until(
                "the licences",
                () -> slurm.get(ConditionReporting.class)
                        .conditions()
                        .get()
                        .equals(new ClusterConditions(
                                lab.cluster(),
                                null,
                                Map.of("ansys", new LicenceTokens(2, 2), "matlab", new LicenceTokens(5, 5)),
                                List.of())));
        lab.sleeper(UserName.of("mr-alice"), "--licenses=matlab:2");
        lab.until(
                "two tokens in use",
                () -> new LicenceTokens(5, 3)
                        .equals(slurm.get(ConditionReporting.class)
                                .conditions()
                                .get()
                                .licences()
                                .get("matlab")));
    }

    @Test
    void reservations_for_maintenance_are_windows_and_others_are_not() {
        final String node = slurm.observe().get().nodes().getFirst().node().value();
        final List<String> names = List.of("all", "disks", "course");
        reserve("all", "now+2hours", "Flags=MAINT,IGNORE_JOBS", "Nodes=ALL");
        reserve("disks", "now+6hours", "Flags=MAINT,IGNORE_JOBS", "Nodes=" + node);
        reserve("course", "now+12hours", "Flags=IGNORE_JOBS", "Nodes=" + node);
        final List<Maintenance> windows =
                slurm.get(ConditionReporting.class).conditions().get().maintenance();
        for (final String name : names) {
            lab.asRoot("scontrol", "delete", "ReservationName=" + name).get();
        }

        assertThat(windows).extracting(Maintenance::name).containsExactly("all", "disks");
        assertThat(windows).extracting(Maintenance::nodes).containsExactly(List.of(), List.of(NodeName.of(node)));
        assertThat(windows)
                .allSatisfy(window ->
                        assertThat(window.until()).isEqualTo(window.from().plus(Duration.ofHours(1))));
    }

    private void reserve(final String name, final String start, final String... options) {
        final List<String> argv = new ArrayList<>(List.of(
                "scontrol", "create", "reservation", "ReservationName=" + name, "StartTime=" + start, "Duration=60"));
        argv.add("Users=root");
        argv.addAll(List.of(options));
        lab.asRoot(argv.toArray(String[]::new)).get();
    }
}
