package io.millrace.agent.lsf.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of OpenLava 4.0 and LSF 10.1. */
class EventLogTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"JOB_NEW\" \"10.1\" 1795180147 115 1001 33816578 1 1795180147 0 0 -1 \"alice\"",
                "\"JOB_START\" \"40\" 1795180160 115 4 0 0 100.0 1 \"vm\" \"\" \"\" 3145736 0 \"\"",
                "\"JOB_STATUS\" \"40\" 1795180176 105 192 0 0 0.0224 1795180176 0 0 5",
                "\"JOB_SWITCH2\" \"10.1\" 1795180178 1001 107 \"night\" 0 \"\" \"alice\"",
                "\"QUEUE_CTRL\" \"40\" 1795180178 2 \"short\" 0 \"root\"",
                "\"HOST_CTRL\" \"40\" 1795180180 2 \"vm\" 0 \"root\" \"\"",
                "\"MBD_START\" \"40\" 1795180180 \"vm\" \"openlava\" 1 1",
                "\"JOB_OF_A_LATER_RELEASE\" \"11.0\" 1795180180 1",
                "ice\" 0 the rest of a line that began before"
            })
    void a_record_that_may_change_the_snapshot_triggers_a_query(final String line) {
        assertThat(EventLog.mayChangeSnapshot(line)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# 482193",
                "\"LOAD_INDEX\" \"10.1\" 1795180160 11 \"r15s\" \"r1m\"",
                "\"JOB_EXECUTE\" \"40\" 1795180160 115 1001 29827 \"/home/alice\" \"/home/alice\" \"alice\" 29827 0",
                "\"JOB_CLEAN\" \"40\" 1795180160 115 0"
            })
    void a_record_without_a_change_triggers_no_query(final String line) {
        assertThat(EventLog.mayChangeSnapshot(line)).isFalse();
    }

    @Test
    void the_remedy_grants_access_to_the_directory_and_to_later_files() {
        assertThat(EventLog.in(Path.of("/lsf/work/c/logdir")).grant())
                .contains("setfacl -m u:millrace:rx -d -m u:millrace:r /lsf/work/c/logdir")
                .contains("setfacl -m u:millrace:r /lsf/work/c/logdir/lsb.events");
    }
}
