package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.JobSetting;
import io.millrace.script.JobSetting.After;
import io.millrace.script.JobSetting.When;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.translation.Translation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A dependency is kept as its workload manager would keep it, or the script is refused. None is lost. */
class DependenciesTest {

    private static final String ULID = "01KJMZ3QA7Y8C4D1XNV5TZW6RB";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#SBATCH --dependency=afterok:1:2?afterany:3",
                "#SBATCH --dependency=after:1+5",
                "#SBATCH --dependency=afterok:1+5",
                "#SBATCH --dependency=afterburstbuffer:1",
                "#SBATCH --dependency=expand:1",
                "#SBATCH --dependency=afterok:1?singleton,afterany:2",
                "#SBATCH --dependency=afterok",
                "#SBATCH --dependency=afterok:",
                "#SBATCH --dependency=afterok::1",
                "#SBATCH --dependency=afterok:1:",
                "#SBATCH --dependency=,",
                "#SBATCH --dependency=?",
                "#SBATCH --dependency=afterok:1,",
                "#SBATCH --dependency=''",
                "#SBATCH --dependency=1",
                "#PBS -W depend=on:2",
                "#PBS -W depend=before:1",
                "#PBS -W depend=beforeok:1",
                "#PBS -W depend=afterokarray:1[]",
                "#PBS -W depend=aftercorr:1",
                "#PBS -W depend=syncwith:1",
                "#PBS -W depend=runone:1",
                "#PBS -W depend=afterok:1:",
                "#PBS -W depend=afterok",
                "#PBS -W depend=",
                "#PBS -l depend=afterok:1",
                "#BSUB -w \"(done(1) || done(2)) && done(3)\"",
                "#BSUB -w \"(done(1))\"",
                "#BSUB -w \"!done(1)\"",
                "#BSUB -w \"numdone(1, >5)\"",
                "#BSUB -w \"exit(1, 34)\"",
                "#BSUB -w \"post_done(1)\"",
                "#BSUB -w \"done(1) done(2)\"",
                "#BSUB -w \"done(1) &&\"",
                "#BSUB -w \"\"",
                "#BSUB -w '&&'",
                "#BSUB -X \"exception(overrun)::kill\"",
                "#SBATCH --dependency=afterok:1\n#SBATCH --dependency=afterok:2",
                "#PBS -W depend=afterok:1\n#PBS -W depend=afterok:2",
                "#BSUB -w \"done(1)\"\n#BSUB -w \"done(2)\""
            })
    void a_dependency_that_cannot_be_kept_is_refused(final String lines) {
        assertThat(read(lines).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason()).isNotBlank());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "#SBATCH -d AfterOK:7; OK; 7",
                "#SBATCH -d aftercorr:" + ULID + "; CORRESPONDING; " + ULID,
                "#SBATCH -d afterany:7_3; ENDED; 7_3",
                "#PBS -W depend=afternotok:7.server; NOT_OK; 7.server",
                "#BSUB -w done(" + ULID + "[*]); CORRESPONDING; " + ULID,
                "#BSUB -w 7; OK; 7"
            })
    void a_dependency_has_the_meaning_of_its_workload_manager(final String line, final When when, final String job) {
        assertThat(read(line).problems()).isEmpty();
        assertThat(read(line).options())
                .singleElement()
                .satisfies(option -> assertThat(((JobSetting.Dependency) option.setting()).after())
                        .containsExactly(new After(when, job, false)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "#SBATCH -d afterok:4711; 4711",
                "#SBATCH -d afterok:4711_4; 4711_4",
                "#SBATCH -d afterok:4711_*; 4711",
                "#PBS -W depend=afterok:4711[4]; 4711_4",
                "#PBS -W depend=afterok:4711[]; 4711",
                "#BSUB -w done(4711); 4711",
                "#BSUB -w done(4711[4]); 4711_4",
                "#BSUB -w ended(4711[*]); 4711"
            })
    void a_plain_number_is_a_job_of_millrace_and_no_workload_manager_gets_it(final String line, final String job) {
        final ParsedScript script = read(line);
        assertThat(script.problems()).isEmpty();
        final JobSetting.Dependency dependency =
                (JobSetting.Dependency) script.options().getFirst().setting();
        assertThat(dependency.after()).extracting(After::job).containsExactly(job);
        assertThat(Dependencies.isGlobal(dependency)).isTrue();
        for (final WlmType wlm : WlmType.values()) {
            final Translation there = Translation.of(wlm, WlmFeatures.all("any"), spec(line), script);
            assertThat(there.options()).isEmpty();
            assertThat(there.essential()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"alpha/153", "alpha/153_4", "7.server", "7[3].server", "alpha/7[3].server", "prepare", "0153"})
    void every_other_id_is_of_a_workload_manager(final String job) {
        assertThat(Dependencies.isGlobal(job)).isFalse();
    }

    /** What each workload manager would wait for, as a set of conditions of which all or any must be met. */
    private record Meaning(boolean all, List<After> conditions) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_random_dependency_is_translated_to_an_equivalent_one_or_refused(final long seed) {
        final RandomGenerator random = new Random(seed);
        int translated = 0;
        for (int i = 0; i < 1000; i++) {
            final String line = line(random);
            final ParsedScript script = read(line);
            if (!script.problems().isEmpty()) {
                assertThat(script.options()).as(line).isEmpty();
                continue;
            }
            final Meaning meaning = meaning(script);
            for (final WlmType wlm : WlmType.values()) {
                final Translation there = Translation.of(wlm, WlmFeatures.all("any"), spec(line), script);
                if (!there.essential().isEmpty()) {
                    continue;
                }
                final ParsedScript back = read(wlm.dialect().prefix() + " " + words(there.options()));
                assertThat(back.problems()).as("%s on %s", line, wlm).isEmpty();
                assertThat(meaning(back)).as("%s on %s", line, wlm).isEqualTo(meaning);
                translated++;
            }
        }
        assertThat(translated).isGreaterThan(300);
    }

    private static Meaning meaning(final ParsedScript script) {
        final JobSetting.Dependency dependency = (JobSetting.Dependency) script.options().stream()
                .filter(option -> option.setting() instanceof JobSetting.Dependency)
                .findFirst()
                .orElseThrow()
                .setting();
        final List<After> conditions = dependency.after().stream()
                .map(after -> new After(after.when(), local(after.job()), after.byName()))
                .distinct()
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .toList();
        return new Meaning(dependency.all() || conditions.size() == 1, conditions);
    }

    /** The id as the workload manager of cluster c knows it, in Slurm's form. */
    private static String local(final String job) {
        return job.replaceFirst("^c/", "").replaceFirst("\\[(\\d+)]$", "_$1").replaceFirst("(\\[]|_\\*)$", "");
    }

    private static String words(final List<String> options) {
        final StringBuilder words = new StringBuilder();
        options.forEach(word -> words.append(" '").append(word).append('\''));
        return words.toString();
    }

    /** Random words of the three grammars, most of them valid. */
    private static String line(final RandomGenerator random) {
        final List<String> terms = new ArrayList<>();
        return switch (random.nextInt(3)) {
            case 0 -> {
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    terms.add(pick(random, "afterok", "afternotok", "afterany", "after", "aftercorr", "expand")
                            + ids(random, "", "", "", "+5", "_2"));
                }
                if (random.nextInt(5) == 0) {
                    terms.add("singleton");
                }
                yield "#SBATCH --dependency=" + String.join(pick(random, ",", ",", "?"), terms);
            }
            case 1 -> {
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    terms.add(pick(random, "afterok", "afternotok", "afterany", "after", "before", "on", "afterokarray")
                            + ids(random, "", "", ".server", "[]"));
                }
                yield "#PBS -W depend=" + String.join(",", terms);
            }
            default -> {
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    final String job = pick(random, "c/1", "c/22", "c/3[4]", "\"a b\"", "name");
                    terms.add(pick(random, "done(", "exit(", "ended(", "started(", "!done(", "((done(") + job + ")");
                }
                yield "#BSUB -w '" + String.join(pick(random, " && ", "&&", " || ", " "), terms) + "'";
            }
        };
    }

    private static String ids(final RandomGenerator random, final String... suffixes) {
        final StringBuilder ids = new StringBuilder();
        for (int i = random.nextInt(1, 3); i > 0; i--) {
            ids.append(":c/").append(random.nextInt(1, 50)).append(pick(random, suffixes));
        }
        return ids.toString();
    }

    private static String pick(final RandomGenerator random, final String... words) {
        return words[random.nextInt(words.length)];
    }

    private static ParsedScript read(final String lines) {
        return ScriptParser.read("#!/bin/sh\n" + lines + "\n");
    }

    private static JobSpec spec(final String line) {
        return new JobSpec(
                "job",
                "#!/bin/sh\n" + line + "\n",
                null,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
    }
}
