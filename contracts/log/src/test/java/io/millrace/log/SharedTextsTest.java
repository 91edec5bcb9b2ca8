package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.job.JobSubmitted;
import io.millrace.model.protocol.EventType;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a process keeps of a batch that it reads from the log. */
class SharedTextsTest {

    private static final int JOBS = 1_000;
    private static final String ID = "01JNFQ6M5T8W3KZX9B2C4D7E1F";
    private static final Path SAMPLE =
            Path.of("../model/src/test/resources/golden/millrace.job.submitted.v1.free.json");

    private static String sample() throws IOException {
        final String json = Files.readString(SAMPLE).strip();
        final String spec = "\"spec\" : {";
        return json.replace(spec, spec + "\"make\" : \"#!/bin/sh " + "m".repeat(200 * 1024) + "\",");
    }

    private static JobSubmitted read(final String sample, final int number) {
        final String json = sample.replace(ID, "01JNFQ6M5T8W3KZX9B2C4D%04d".formatted(number));
        return (JobSubmitted) EventCodec.parse(json.getBytes(StandardCharsets.UTF_8), EventType.JOB_SUBMITTED);
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Attack("a batch of 1,000 jobs with 200 KiB of make step each takes 200 MB in every process that reads it")
    @Test
    void the_jobs_of_a_batch_share_their_texts() throws IOException {
        final String sample = sample();
        final List<JobSubmitted> jobs = new ArrayList<>();
        jobs.add(read(sample, 0));
        final long before = used();
        for (int number = 1; number < JOBS; number++) {
            jobs.add(read(sample, number));
        }
        final long grown_kib = (used() - before) / 1024;
        System.out.println(JOBS + " jobs with a shared make step of 200 KiB: " + grown_kib + " KiB");

        assertThat(jobs)
                .allSatisfy(job -> assertThat(job.spec().make())
                        .isSameAs(jobs.getFirst().spec().make()));
        assertThat(grown_kib).isLessThan(10 * 1024);
    }
}
