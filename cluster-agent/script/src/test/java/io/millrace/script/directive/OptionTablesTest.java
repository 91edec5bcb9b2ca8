package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.translation.Translation;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of every option of sbatch, qsub and bsub. No option is lost without a word. */
class OptionTablesTest {

    /** The options are those of sbatch(1) of Slurm 22.05 to 25.05, qsub(1B) of PBS Pro and Torque, and bsub(1) of LSF 10.1. */
    private static final String FATES = """
        SBATCH honoured -J=x --job-name=x -n=2 --ntasks=2 -N=1 --nodes=1 --ntasks-per-node=2 --tasks-per-node=2 -c=2 --cpus-per-task=2
        SBATCH honoured --mem=1G --mem-per-cpu=1G -G=1 --gpus=1 --gpus-per-node=1 --gpus-per-task=1 --gres=gpu:1 -t=10 --time=10
        SBATCH honoured -p=q --partition=q -A=a --account=a -o=f --output=f -e=f --error=f -i=f --input=f -a=1-2 --array=1-2 -d=afterok:1
        SBATCH honoured --dependency=afterok:1 --mail-type=END --mail-user=u --export=A=1 --requeue --no-requeue --signal=USR1@60
        SBATCH honoured -C=f --constraint=f --exclusive -s --oversubscribe --share -L=m:1 --licenses=m:1 -b=16:00 --begin=16:00 -q=q --qos=q
        SBATCH honoured -M=c --clusters=c --cluster=c --reservation=r -w=n1 --nodelist=n1 -x=n1 --exclude=n1
        SBATCH ignored --open-mode=append --parsable -Q --quiet -v --verbose -W --wait --ignore-pbs --test-only --get-user-env --gres=none
        SBATCH noted --comment=c --time-min=5 --priority=1 --checkpoint=5 --checkpoint-dir=d --mincpus=2 --sockets-per-node=1
        SBATCH noted --cores-per-socket=1 -B=1 --extra-node-info=1 --threads-per-core=1 --ntasks-per-core=1 --hint=nomultithread -S=1
        SBATCH noted --core-spec=1 --thread-spec=1 --reboot --mem=0 --gres=mps:1
        SBATCH native --ntasks-per-socket=1 --mem-bind=local --cpu-freq=low --tmp=1G --switches=1 --profile=all --acctg-freq=30 --power=x
        SBATCH native --delay-boot=5 --deadline=16:00 --gres-flags=x --gpu-bind=x --gpu-freq=low --wckey=w --mcs-label=m
        SBATCH native --kill-on-invalid-dep=yes --wait-all-nodes=1 --container=c --container-id=c --bb=x --bbf=x --prefer=f --network=x
        SBATCH native --extra=x --tres-bind=x --oom-kill-step=1 --resv-ports=1 --segment=1 -m=block --distribution=block --nice --nice=5
        SBATCH native --propagate -k --no-kill -O --overcommit --contiguous --spread-job --use-min-nodes --stepmgr --consolidate-segments
        SBATCH native --spread-segments --hint=multithread --gres=other:1 --exclusive=user
        SBATCH refused --uid=0 --gid=0 -D=/x --chdir=/x --workdir=/x --cluster-constraint=f --wrap=id
        SBATCH refused --export-file=f -H --hold --cpus-per-gpu=2 --tres-per-task=cpu:2 --mem-per-gpu=1G --ntasks-per-gpu=1
        SBATCH refused --gpus-per-socket=1 -F=f --nodefile=f --jobid=1 -h --help --usage -V --version
        PBS honoured -N=x -l=ncpus=2 -q=q -A=a -P=p -o=f -e=f -J=1-2 -t=1-2 -m=e -M=u -v=A=1 -V -r=y -a=1600 -S=/bin/sh -p=1 -n
        PBS honoured -W=depend=afterok:1 -F=a
        PBS ignored -C=QSUB -j=oe -k=oe -R=oe -z -W=block=true
        PBS noted -c=s -T=x -b=5 -X -f -W=sandbox=PRIVATE -W=x=y
        PBS native -W=umask=022 -W=group_list=g
        PBS refused -u=root -d=/x -D=/x -w=/x -h -I -G -x -L=tasks=1 -W=stagein=a@b:c -W=stageout=a@b:c -W=nonsense=1
        BSUB honoured -J=x -n=2 -M=1 -R=span[hosts=1] -gpu=num=1 -W=10 -q=q -P=p -o=f -oo=f -e=f -eo=f -i=f -is=f -w=done(1) -B -N -Ne -u=u -env=A=1
        BSUB honoured -r -rn -wa=USR1 -wt=5 -x -m=h -b=16:00 -U=r -sp=1
        BSUB ignored -L=/bin/sh -K -Zs -Z
        BSUB noted -k=d -Jd=x -notify=start -s=9 -XF
        BSUB native -We=5 -G=g -g=/g -t=16:00 -app=a -c=5 -C=0 -D=1 -F=1 -S=1 -T=1 -v=1 -p=5 -sla=s -Lp=p -Q=1 -ul=x -ext=x -a=x -network=x
        BSUB native -jd=x -rnc=1 -freq=1 -stage=x -ti -ar -ptl=1 -hl -mig=5 -smt=1 -nnodes=1 -alloc_flags=x -core_isolation=1 -cn_cu=x
        BSUB native -cn_mem=1 -ln_mem=1 -ln_slots=1 -csm=y -eptl=1 -jobaff=x -jsm=y -rcacct=x -step_cgroup=y
        BSUB refused -cwd=/x -outdir=/x -E=c -Ep=c -clusters=c -f=x -data=x -datagrp=x -datachk -pack=f -json=f -yaml=f -jsdl=f
        BSUB refused -jsdl_strict=f -hostfile=f -H -I -Ip -Is -IS -ISp -ISs -IX -tty -h -V
        """;

    static Stream<String> options() {
        return FATES.lines().flatMap(line -> {
            final String[] words = line.strip().split(" ");
            return Arrays.stream(words).skip(2).map(option -> words[0] + " " + words[1] + " " + option);
        });
    }

    @ParameterizedTest
    @MethodSource("options")
    void no_option_is_lost_without_a_word(final String example) {
        final String[] words = example.split(" ");
        final String option = words[2].startsWith("--") ? words[2] : words[2].replaceFirst("=", " ");
        final ParsedScript script = read("#" + words[0] + " " + option);

        if (words[1].equals("refused")) {
            assertThat(script.problems())
                    .singleElement()
                    .satisfies(
                            problem -> assertThat(problem.reason()).isNotBlank().doesNotContain("unknown option"));
            return;
        }
        assertThat(script.problems()).isEmpty();
        assertThat(script.options())
                .isNotEmpty()
                .allSatisfy(read -> assertThat(fate(read.setting())).isEqualTo(words[1]));
    }

    private static String fate(final JobSetting setting) {
        return switch (setting) {
            case JobSetting.Ignored s -> "ignored";
            case JobSetting.Unsupported s -> "noted";
            case JobSetting.SystemSpecific s -> "native";
            default -> "honoured";
        };
    }

    /** A cluster that cannot express one of these does not get the job. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#SBATCH --array=1-2",
                "#SBATCH --dependency=afterok:1",
                "#SBATCH --dependency=afterok:1?afterok:2",
                "#SBATCH --begin=16:00",
                "#SBATCH --exclusive",
                "#SBATCH --licenses=matlab:1",
                "#SBATCH --reservation=r",
                "#PBS -W depend=afterok:1",
                "#PBS -a 1600",
                "#BSUB -w done(1)",
                "#BSUB -U r",
                "#BSUB -x"
            })
    void what_changes_the_meaning_is_translated_or_keeps_the_job_away(final String line) {
        final ParsedScript script = read(line);
        final ScriptOption option = script.options().getFirst();
        assertThat(option.setting().isEssential()).isTrue();
        for (final WlmType wlm : WlmType.values()) {
            final Translation translation = Translation.of(wlm, WlmFeatures.all("any"), spec(line), script);
            final boolean translated = !translation.options().isEmpty()
                    || !translation
                            .resources()
                            .equals(Translation.of(wlm, WlmFeatures.all("any"), spec(""), read(""))
                                    .resources());
            assertThat(translated || translation.essential().stream().anyMatch(lost -> lost.contains(option.text())))
                    .as("%s on %s", line, wlm)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "#SBATCH --tiem=10, --time",
        "#SBATCH --dependancy=afterok:1, --dependency",
        "#SBATCH --job_name=x, --job-name",
        "#SBATCH --nonsense=1 2, check its spelling",
        "#SBATCH -Z x, check its spelling",
        "#PBS -Z 1, check its spelling",
        "#BSUB -Zz 3, unknown option"
    })
    void a_misspelt_option_is_refused_with_the_nearest_one(final String line, final String hint) {
        assertThat(read(line).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason())
                        .startsWith("unknown option")
                        .contains(hint));
    }

    @Test
    void the_directives_after_a_misspelt_one_are_read() {
        final ParsedScript script = read("#SBATCH --tiem=10\n#SBATCH -n 4");
        assertThat(script.problems()).hasSize(1);
        assertThat(script.request().cores()).isEqualTo(4);
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
