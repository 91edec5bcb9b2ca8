package io.millrace.script;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.job.JobSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The bash text before the user's script: enters the job's directory, sends the screen output where it belongs, and sets the
 * variables: the job's own, those of Millrace, and those that the script knows from another system. Every value is quoted; none is
 * evaluated.
 *
 * @param target where the job lands
 * @param layout see {@link Translation#layout()}
 * @param directory absolute path of the job's directory
 * @param modules environment modules to load, in this order
 */
public record JobPreamble(
        WlmType target,
        ParsedScript script,
        JobSpec spec,
        TaskLayout layout,
        ClusterId cluster,
        AttemptId attempt,
        String directory,
        List<String> modules) {

    public JobPreamble {
        modules = List.copyOf(modules);
    }

    /** The text for {@link JobWrapper}. */
    public static String of(
            final WlmType target,
            final ParsedScript script,
            final JobSpec spec,
            final TaskLayout layout,
            final ClusterId cluster,
            final AttemptId attempt,
            final String directory,
            final List<String> modules) {
        return new JobPreamble(target, script, spec, layout, cluster, attempt, directory, modules).text();
    }

    /** The name of the file for the screen output, as the shell reads it. */
    private static final String OUTPUT = "\"millrace-$_mg_job_id.out\"";

    private String text() {
        final StringBuilder text = new StringBuilder();
        text.append("cd ").append(ShellQuote.of(directory)).append(" || exit 1\n");
        text.append(VariableSetup.basic(target));
        redirect(text);
        if (target == WlmType.SLURM) {
            // Without this, srun inside the job would start its tasks without any environment (it was handed in
            // with --export=NONE).
            text.append("unset SLURM_EXPORT_ENV\n");
        }
        foreign(text);
        new TreeMap<>(spec.environment()).forEach((name, value) -> export(text, name, ShellQuote.of(value)));
        own(text);
        modules(text);
        text.append("unset ${!_mg_*}\n");
        return text.toString();
    }

    /** Slurm and the embedded one append by themselves; PBS would spool, LSF would mail. */
    private void redirect(final StringBuilder text) {
        switch (target) {
            case SLURM, LOCAL -> {}
            case PBSPRO, TORQUE, LSF -> text.append("exec >>").append(OUTPUT).append(" 2>&1 </dev/null\n");
        }
    }

    private void own(final StringBuilder text) {
        if (target == WlmType.LOCAL) {
            return; // they are in its environment already
        }
        final Map<String, String> own = new TreeMap<>(Map.of(
                "MILLRACE_CLUSTER", ShellQuote.of(cluster.value()),
                "MILLRACE_ATTEMPT", ShellQuote.of(attempt.toString()),
                "MILLRACE_CORES", Integer.toString(spec.resources().cores()),
                "MILLRACE_RESTART", "\"$_mg_restarts\"",
                "MILLRACE_JOB_ID", "\"$_mg_job_id\""));
        own.forEach((name, value) -> export(text, name, value));
    }

    private static void export(final StringBuilder text, final String name, final String value) {
        text.append("export ").append(name).append('=').append(value).append('\n');
    }

    /** The dialects that the script knows and the target does not speak, or speaks with another vocabulary (both PBS lines). */
    private Set<Dialect> foreignDialects() {
        final Set<Dialect> known = new LinkedHashSet<>(script.dialects());
        for (final JobVariable variable : JobVariable.ALL) {
            if (variable.name().contains("_") && spec.script().contains(variable.name())) {
                known.add(variable.dialect());
            }
        }
        if (target.dialect() != Dialect.PBS) {
            known.remove(target.dialect());
        }
        return known;
    }

    private void foreign(final StringBuilder text) {
        final Set<Dialect> dialects = foreignDialects();
        if (dialects.isEmpty()) {
            return;
        }
        text.append(VariableSetup.foreign(target, spec, layout, cluster));
        for (final JobVariable variable : JobVariable.ALL) {
            if (dialects.contains(variable.dialect())) {
                final String holder = variable.meaning().shellVariable();
                // What the system itself has set stays.
                final String unset =
                        variable.dialect() == target.dialect() ? "[ -n \"${" + variable.name() + ":-}\" ] || " : "";
                text.append(unset)
                        .append("[ -z \"${" + holder + ":-}\" ] || export ")
                        .append(variable.name())
                        .append("=\"$")
                        .append(holder)
                        .append("\"\n");
            }
        }
        launchers(text, dialects);
    }

    /** Open MPI takes these variables for the system itself and would start its processes by commands that are not here. */
    private void launchers(final StringBuilder text, final Set<Dialect> dialects) {
        if (dialects.contains(Dialect.SLURM)) {
            export(text, "OMPI_MCA_plm", "\"${OMPI_MCA_plm:-^slurm}\" OMPI_MCA_ras=\"${OMPI_MCA_ras:-^slurm}\"");
        } else if (dialects.contains(Dialect.PBS) && target.dialect() != Dialect.PBS) {
            export(text, "OMPI_MCA_plm", "\"${OMPI_MCA_plm:-^tm}\" OMPI_MCA_ras=\"${OMPI_MCA_ras:-^tm}\"");
        } else if (dialects.contains(Dialect.LSF)) {
            export(text, "OMPI_MCA_plm", "\"${OMPI_MCA_plm:-^lsf}\" OMPI_MCA_ras=\"${OMPI_MCA_ras:-^lsf}\"");
        }
    }

    private void modules(final StringBuilder text) {
        if (modules.isEmpty()) {
            return;
        }
        text.append(
                        "for _mg_init in \"${MODULESHOME:-/none}/init/bash\" /etc/profile.d/modules.sh /etc/profile.d/lmod.sh")
                .append(" /etc/profile.d/z00_lmod.sh /usr/share/lmod/lmod/init/bash /usr/share/modules/init/bash; do\n")
                .append("    type module >/dev/null 2>&1 && break\n")
                .append("    [ -r \"$_mg_init\" ] && . \"$_mg_init\"\n")
                .append("done\n");
        for (final String module : modules) {
            text.append("module load ")
                    .append(ShellQuote.of(module))
                    .append(" || { printf 'millrace: module %s cannot be loaded on %s\\n' ")
                    .append(ShellQuote.of(module))
                    .append(' ')
                    .append(ShellQuote.of(cluster.value()))
                    .append(" >&2; exit 78; }\n");
        }
    }
}
