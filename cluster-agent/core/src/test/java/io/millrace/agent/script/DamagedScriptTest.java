package io.millrace.agent.script;

import io.millrace.agent.wlm.DamagedOutput;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.wrapper.ForeignCommands;
import io.millrace.script.wrapper.PathReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Any text is a script: its directives are translated or refused, but nothing fails. */
class DamagedScriptTest {

    private static final int LONGEST = 256 * 1024;
    private static final int LONGEST_VALUE = 32 * 1024;
    private static final String SCRIPT = """
            #!/bin/bash
            #SBATCH --job-name=solver --time=1-02:00:00 --nodes=2 --ntasks-per-node=4 --array=0-15:4,20%2
            #SBATCH -C "intel&gpu" --gres=gpu:a100:2,mps:1 --dependency=afterok:1:2,afterany:3 --begin=2026-12-01T08:00:00
            #SBATCH --signal=B:USR1@60 --licenses=matlab:2 --mail-type=END --export=ALL,A=1
            #PBS -N run -l select=2:ncpus=4:mem=8gb:ngpus=1+1:ncpus=2,walltime=10:00:00 -l place=scatter:excl
            #PBS -l nodes=2:ppn=4:intel+1:ppn=1#shared -W depend=afterok:1.server -a 12010800 -v A=1,B="x y" -J 1-9:2
            #BSUB -J "name[1-9:2]%3" -n 4 -R "select[intel && gpu] rusage[mem=4GB/host:lic=1] span[ptile=2] affinity[core(2)]"
            #BSUB -w "done(1) && ended(\\"b\\")" -b 12:01:8:00 -W 10:00 -gpu "num=2:mode=shared" -M 4GB -oo /tmp/out
            module load gcc; time srun /opt/app/solver --in /home/anna/in.dat > out && cd /scratch
            """;
    private static final List<String> PIECES = List.of(
            "#SBATCH -n1\n",
            "#PBS -l nodes=",
            "1:ppn=1+",
            "&a",
            "&& a ",
            "span[",
            "a[1]",
            "afterok:1,",
            "gpu:1,",
            "--x=1 ",
            "/a",
            "$(",
            "| ",
            "time ",
            "\n");

    /** Directives with a long value. */
    private static final List<String> DIRECTIVES = List.of(
            "#BSUB -R \"%s\"",
            "#BSUB -R \"select[%sa]\"",
            "#BSUB -R \"rusage[%s=1]\"",
            "#BSUB -w \"done(%s)\"",
            "#BSUB -J \"%s[1-9]\"",
            "#BSUB -%s",
            "#SBATCH --constraint=%sa",
            "#SBATCH --gres=%s",
            "#SBATCH --array=%s",
            "#SBATCH --dependency=%s",
            "#PBS -l nodes=%s",
            "#PBS -l select=%s",
            "#PBS -W depend=%s",
            "#PBS -v %s");

    private static void translate(final String script) {
        final JobSpec spec = new JobSpec(
                "job",
                script.substring(0, Math.min(LONGEST, script.length())),
                null,
                Resources.cores(4),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false);
        final Submission submission = new Submission(
                GlobalJobId.of("01KJMZ3Q7Y8ZABCDEFGHJKMNPQ").attempt(1), UserName.of("anna"), spec, "/home/anna");
        for (final WlmType wlm : WlmType.values()) {
            final SubmissionScript translated =
                    SubmissionScript.of(wlm, WlmFeatures.all("1"), ClusterId.of("alpha"), submission);
            translated.refusal();
            translated.resources();
            translated.script("nonce");
            ForeignCommands.find(spec.script(), wlm);
        }
        PathReference.find(spec.script());
    }

    @Test
    void a_script_of_any_text_is_translated() {
        DamagedOutput.survives(SCRIPT, PIECES, DamagedScriptTest::translate);
    }

    @Test
    void a_long_directive_is_translated() {
        for (final String directive : DIRECTIVES) {
            DamagedOutput.survives(
                    "a", PIECES, value -> translate("#!/bin/sh\n" + directive.formatted(limited(value)) + "\ntrue\n"));
        }
    }

    private static String limited(final String value) {
        return value.substring(0, Math.min(LONGEST_VALUE, value.length())).replace('\n', ' ');
    }
}
