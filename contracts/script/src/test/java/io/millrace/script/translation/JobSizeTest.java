package io.millrace.script.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No option makes a job larger than granted: it is counted, or it is not translated. */
class JobSizeTest {

    private static final Resources GRANTED = new Resources(2, 0, 0, 0);

    /** Options of the manual pages that increase cores, GPUs or memory in a way that is not counted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#SBATCH --mincpus=64",
                "#SBATCH --tres-per-task=cpu:32",
                "#SBATCH --tres-per-task=gres/gpu:4",
                "#SBATCH --cores-per-socket=32",
                "#SBATCH --sockets-per-node=2",
                "#SBATCH --extra-node-info=2:16:1",
                "#SBATCH -B 2:16",
                "#SBATCH --threads-per-core=1",
                "#SBATCH --ntasks-per-core=1",
                "#SBATCH --hint=nomultithread",
                "#SBATCH --hint=compute_bound",
                "#SBATCH --hint=memory_bound",
                "#SBATCH --core-spec=4",
                "#SBATCH -S 4",
                "#SBATCH --thread-spec=4",
                "#SBATCH --gpus-per-socket=4",
                "#SBATCH --gres=shard:8",
                "#SBATCH --gres=mps",
                "#SBATCH --mem=0",
                "#BSUB -R \"affinity[socket(2)]\"",
                "#BSUB -R \"affinity[numa(1):cpubind=numa]\"",
                "#BSUB -R \"cu[type=rack:excl]\"",
                "#BSUB -R \"cu[excl:maxcus=1]\"",
                "#BSUB -hostfile all.hosts",
                "#PBS -l size=128",
                "#PBS -l nodect=16",
                "#PBS -l ppn=64",
                "#PBS -l mpiprocs=64",
                "#PBS -l mppnodes=1-64",
                "#PBS -l tpn=64",
                "#PBS -l ttc=64",
                "#PBS -l trl=64",
                "#PBS -l geometry={(0,1,2,3)}",
                "#PBS -l procs_bitmap=11111111",
                "#PBS -l naccelerators=4",
                "#PBS -l mics=2",
                "#PBS -l place=group=rack",
                "#PBS -L tasks=1:lprocs=64",
                "#PBS -W x=trl:64"
            })
    void an_option_that_cannot_be_counted_is_not_translated(final String line) {
        for (final WlmType wlm : WlmType.values()) {
            final Translation plain = translated(wlm, GRANTED, "#SBATCH -J same");
            final Translation larger = translated(wlm, GRANTED, line);
            assertThat(larger.options()).as(wlm + " " + line).isEqualTo(plain.options());
            assertThat(larger.resources()).as(wlm + " " + line).isEqualTo(plain.resources());
            assertThat(!larger.unsupported().isEmpty()
                            || !script(line).problems().isEmpty())
                    .as(wlm + " " + line + " is reported")
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#SBATCH -n 4 --cpus-per-task=8",
                "#SBATCH -N 4 --ntasks-per-node=8",
                "#SBATCH --ntasks-per-node=16 -N 2 -n 32",
                "#BSUB -n 32,64",
                "#BSUB -n 4 -R \"affinity[core(8)]\"",
                "#BSUB -n 4 -R \"affinity[core(8,exclusive=(core,alljobs)):cpubind=core]\"",
                "#PBS -l select=4:ncpus=8:vnode=a",
                "#PBS -l select=2:ncpus=12+1:ncpus=8",
                "#PBS -l nodes=4:ppn=8",
                "#PBS -l procs=32",
                "#PBS -l mppwidth=8,mppdepth=4"
            })
    void an_option_that_can_be_counted_is_part_of_the_request(final String line) {
        assertThat(script(line).request().cores()).as(line).isEqualTo(32);
    }

    /** A script that requests more than the signed specification. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#SBATCH -n 64",
                "#SBATCH -N 8 --ntasks-per-node=8",
                "#SBATCH -c 64",
                "#BSUB -n 64,128",
                "#BSUB -R \"affinity[core(64)]\"",
                "#BSUB -n 64 -R \"span[ptile=64]\"",
                "#PBS -l select=8:ncpus=8",
                "#PBS -l select=1:ncpus=64:vnode=big",
                "#PBS -l nodes=8:ppn=8",
                "#PBS -l procs=64",
                "#PBS -l mppwidth=8,mppdepth=8",
                "#PBS -l ncpus=64"
            })
    void a_script_that_requests_more_than_was_signed_gets_what_was_signed(final String line) {
        for (final WlmType wlm : WlmType.values()) {
            final Translation translated = translated(wlm, GRANTED, line);
            assertThat(Stream.of(translated.options(), translated.resources()).flatMap(List::stream))
                    .as(wlm + " " + line)
                    .noneMatch(word -> word.matches(".*\\b(64|128|8)\\b.*"));
        }
    }

    @Test
    void accelerators_are_gpus() {
        assertThat(script("#PBS -l select=2:ncpus=1:naccelerators=4").request().gpus())
                .isEqualTo(8);
    }

    private static ParsedScript script(final String line) {
        return ScriptParser.read("#!/bin/bash\n" + line + "\ntrue\n");
    }

    private static Translation translated(final WlmType wlm, final Resources signed, final String line) {
        final JobSpec spec = new JobSpec(
                "same",
                "#!/bin/bash\n" + line + "\ntrue\n",
                null,
                signed,
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        return Translation.of(wlm, new WlmFeatures("version 1", Set.of()), spec, script(line));
    }
}
