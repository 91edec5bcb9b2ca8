package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.api.Json;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

@ExtendWith(BerlinTime.class)
@Isolated("replaces the time zone")
class JobRecordTest {

    @Test
    void each_line_has_one_thing_and_what_is_absent_has_no_line() throws IOException {
        assertThat(JobRecord.lines(Json.read("""
            {"id": "01KJMZ3QA7Y8C4D1XNV5TZW6RB", "number": "4711_4", "batch": "01KJMZ3QA7Y8C4D1XNV5TZ0000", "name": "me\\u001bsh",
             "user": "anna", "project": "physics", "state": "running", "stage": "Submitted", "since": "2026-03-01T12:00:00.5Z",
             "reason": "in the queue as 153", "cores": 8, "nodes": 1, "memoryMib": 4096, "gpus": 0, "walltime": "PT1H30M",
             "cluster": "beta", "localJob": "beta/153@2026-03-01T11:59:00Z", "source": "alpha", "directory": "/home/anna/run",
             "submittedAt": "2026-03-01T11:00:00Z", "startedAt": "2026-03-01T12:00:00Z", "preemptions": 1, "version": 4,
             "attempts": [{"number": 1, "cluster": "beta", "startedAt": "2026-03-01T11:30:00Z", "reason": "8 cores are idle"}],
             "notes": ["left out: line 3"]}
            """)))
                .containsExactly(
                        "4711_4 me\\u001bsh",
                        "  state            running, stage Submitted since 2026-03-01T13:00:00",
                        "  reason           in the queue as 153",
                        "  user             anna, project physics",
                        "  id               01KJMZ3QA7Y8C4D1XNV5TZW6RB, batch 01KJMZ3QA7Y8C4D1XNV5TZ0000",
                        "  requested        8 cores, 1 node, 4096 MiB, walltime 01:30:00",
                        "  where            beta, beta/153",
                        "  directory        alpha:/home/anna/run",
                        "  submitted        2026-03-01T12:00:00",
                        "  started          2026-03-01T13:00:00",
                        "  preempted        1 time",
                        "  attempt 1        beta since 2026-03-01T12:30:00: 8 cores are idle",
                        "  note             left out: line 3");
    }
}
