package io.millrace.classifier.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.classifier.file.ModelFile;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Classified;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassifyJobTest {

    private static final GlobalJobId JOB = GlobalJobId.of("01J00000000000000000000001");

    private static JobSubmitted submitted(final String script, final Map<String, String> environment) {
        final JobSpec spec = new JobSpec(
                "fold",
                script,
                null,
                Resources.cores(8),
                Duration.ofMinutes(90),
                null,
                ProjectName.of("bio"),
                environment,
                new CheckpointMethod.None(),
                false);
        return new JobSubmitted(
                JOB, 1, UserName.of("anna"), spec, ClusterId.of("alpha"), "/home/anna", null, Instant.EPOCH, "signed");
    }

    private static Classified classify(final String model, final JobSubmitted job) {
        return new ClassifyJob(ModelFile.parse("model.yaml", model), 1, new StageCounters())
                .classify(JOB, JobFacts.of(job));
    }

    /** The kinds of characteristics that the paper names, section "Introduction". */
    @Test
    void the_kinds_of_the_paper_are_expressible_by_built_in_characteristics_and_extractors() {
        final Classified classified = classify("""
            characteristics:
              method:
                type: enum
                values: [ready-program, library, interpreted]
                from:
                  - {field: executable, pattern: '^(python|Rscript)', value: interpreted}
                  - {field: script, pattern: '^module load scalapack', value: library}
                  - {field: script, pattern: '/opt/apps/', value: ready-program}
              location:
                type: enum
                values: [system, user]
                from: [{field: script, pattern: '/opt/apps/', value: system}, {field: script, pattern: '.', value: user}]
              runs: {type: number, from: {field: script, pattern: 'seq 1 (\\d+)'}}
              variants: {type: number}
              dependencies: {type: number}
              parallelism: {type: enum, values: [none, threads, mpi, mixed]}
              size: {type: enum, values: [small, large], from: {field: environment.SIZE, pattern: '.+'}}
              mode: {type: enum, values: [batch, interactive]}
              urgency: {type: enum, values: [low, high], from: {field: environment.URGENCY, pattern: '\\w+'}}
            classes:
              urgent-molecular-dynamics:
                mandatory: {method: ready-program, location: system, parallelism: mpi, urgency: high}
                optional: {runs: {min: 10}, mode: batch, dependencies: 0, size: large}
            """, submitted("""
                #!/bin/bash
                for i in $(seq 1 20); do mpirun /opt/apps/namd/namd2 $i.conf; done
                """, Map.of("URGENCY", "high", "SIZE", "gigantic")));
        assertThat(classified.classes()).containsExactly("urgent-molecular-dynamics");
        assertThat(classified.evidence())
                .containsExactly(
                        "urgent-molecular-dynamics: method=ready-program in ready-program, location=system in system,"
                                + " runs=20 in [10,unlimited], parallelism=mpi in mpi, mode=batch in batch,"
                                + " urgency=high in high",
                        "stage rho: urgent-molecular-dynamics=1",
                        "stage sigma: urgent-molecular-dynamics=6",
                        "stage omega: urgent-molecular-dynamics=6",
                        "stage psi: urgent-molecular-dynamics=1",
                        "ignored size: 'gigantic' is not inside {large, small}");
    }

    @Test
    void a_request_gives_numbers_and_names() {
        final Classified classified = classify("""
            characteristics:
              cores: {type: number}
              minutes: {type: number}
              project: {type: text}
              owner: {type: text}
              name: {type: text}
              modules: {type: set}
            classes:
              long: {mandatory: {minutes: {minExclusive: 60}, cores: {min: 2}, project: bio, owner: anna}, optional: {modules: []}}
            """, submitted("#!/bin/sh\n./fold\n", Map.of()));
        assertThat(classified.evidence())
                .contains("long: cores=8 in [2,unlimited], minutes=90 in (60,unlimited], project=bio in bio,"
                        + " owner=anna in anna, modules={} in {}");
    }

    @Test
    void a_job_that_gives_nothing_that_the_model_knows_is_unclassified() {
        final Classified classified = classify("""
            characteristics: {runs: {type: number, from: {field: script, pattern: 'runs=(\\w+)'}}}
            classes: {a: {mandatory: {runs: {}}}}
            """, submitted("#!/bin/sh\nruns=many\n", Map.of()));
        assertThat(classified.classes()).isEmpty();
        assertThat(classified.evidence())
                .containsExactly(
                        "the job gives no characteristic of the model", "ignored runs: 'many' is not a number");
    }
}
