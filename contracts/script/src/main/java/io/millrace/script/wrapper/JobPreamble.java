package io.millrace.script.wrapper;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.StandardStreams;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.translation.Translation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The bash code before the script of the user. It changes to the job directory, redirects the output and sets the variables: those of the
 * job, those of Millrace, and those that the script expects from another workload manager. Every value is quoted and never evaluated.
 *
 * @param target workload manager of the cluster
 * @param layout see {@link Translation#layout()}
 * @param directory absolute path of the job directory
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
        StandardStreams streams,
        List<String> modules) {

    public JobPreamble {
        modules = List.copyOf(modules);
    }

    /** The code for {@link JobWrapper}. */
    public static String of(
            final WlmType target,
            final ParsedScript script,
            final JobSpec spec,
            final TaskLayout layout,
            final ClusterId cluster,
            final AttemptId attempt,
            final String directory,
            final StandardStreams streams,
            final List<String> modules) {
        return new JobPreamble(target, script, spec, layout, cluster, attempt, directory, streams, modules).text();
    }

    private String text() {
        final StringBuilder text = new StringBuilder();
        text.append("cd ").append(ShellQuote.of(directory)).append(" || exit 1\n");
        text.append(VariableSetup.basic(target));
        redirect(text);
        if (target == WlmType.SLURM) {
            // The job is submitted with --export=NONE. Without this line srun would start its tasks with an empty
            // environment.
            text.append("unset SLURM_EXPORT_ENV\n");
        }
        foreignVariables(text);
        new TreeMap<>(spec.environment()).forEach((name, value) -> export(text, name, ShellQuote.of(value)));
        millraceVariables(text);
        modules(text);
        text.append("unset ${!_mg_*}\n");
        return text.toString();
    }

    /**
     * Appends the output to its file. Slurm does so itself, and the local workload manager except for errors and input; PBS would spool the
     * output and LSF would mail it.
     */
    private void redirect(final StringBuilder text) {
        switch (target) {
            case SLURM -> {}
            case LOCAL -> {
                if (streams.error() != null || streams.input() != null) {
                    text.append("exec").append(errorAndInput("")).append('\n');
                }
            }
            case PBSPRO, TORQUE, LSF -> {
                if (streams.output() == null) {
                    text.append("_mg_task=\n"
                            + "[[ $_mg_job_id != *\\[*]* ]] || _mg_task=${_mg_job_id#*\\[}"
                            + " _mg_task=_${_mg_task%%]*}\n");
                }
                text.append("exec >>")
                        .append(
                                streams.output() == null
                                        ? "\"" + OutputFile.of(attempt, "$_mg_task") + "\""
                                        : ShellQuote.of(streams.output()))
                        .append(errorAndInput(" 2>&1"))
                        .append(streams.input() == null ? " </dev/null" : "")
                        .append('\n');
            }
        }
    }

    /** @param joined the redirection of errors if they have no file of their own */
    private String errorAndInput(final String joined) {
        final String error = streams.error();
        final String input = streams.input();
        return (error == null ? joined : " 2>>" + ShellQuote.of(error))
                + (input == null ? "" : " <" + ShellQuote.of(input));
    }

    private void millraceVariables(final StringBuilder text) {
        if (target == WlmType.LOCAL) {
            return; // already in the environment
        }
        final Map<String, String> millraceVariables = new TreeMap<>(Map.of(
                "MILLRACE_CLUSTER", ShellQuote.of(cluster.value()),
                "MILLRACE_ATTEMPT", ShellQuote.of(attempt.toString()),
                "MILLRACE_CORES", Integer.toString(spec.resources().cores()),
                "MILLRACE_RESTART", "\"$_mg_restarts\"",
                "MILLRACE_JOB_ID", "\"$_mg_job_id\""));
        millraceVariables.forEach((name, value) -> export(text, name, value));
    }

    private static void export(final StringBuilder text, final String name, final String value) {
        text.append("export ").append(name).append('=').append(value).append('\n');
    }

    /**
     * The dialects with variables that the script may use and the target does not set. PBS is included for a PBS target, because PBS Pro
     * and Torque set different variables.
     */
    private Set<Dialect> foreignDialects() {
        final Set<Dialect> known = new LinkedHashSet<>(script.dialects());
        for (final JobVariable variable : JobVariable.ALL) {
            if (variable.isTelling() && spec.script().contains(variable.name())) {
                known.add(variable.dialect());
            }
        }
        if (target.dialect() != Dialect.PBS) {
            known.remove(target.dialect());
        }
        return known;
    }

    private void foreignVariables(final StringBuilder text) {
        final Set<Dialect> foreign = foreignDialects();
        final boolean divides = VariableSetup.dividesSlots(target, layout);
        final Set<Dialect> dialects = new LinkedHashSet<>(foreign);
        if (divides) {
            dialects.add(Objects.requireNonNull(target.dialect()));
        }
        if (dialects.isEmpty()) {
            return;
        }
        text.append(VariableSetup.foreign(target, spec, layout, cluster));
        for (final JobVariable variable : JobVariable.ALL) {
            if (dialects.contains(variable.dialect())) {
                final String value = variable.meaning().shellVariable();
                // A variable that the workload manager sets keeps its value, unless it counts cores as processes.
                final boolean keeps = variable.dialect() == target.dialect()
                        && !(divides && variable.meaning().isOfProcesses());
                final String unset = keeps ? "[ -n \"${" + variable.name() + ":-}\" ] || " : "";
                text.append(unset)
                        .append("[ -z \"${" + value + ":-}\" ] || export ")
                        .append(variable.name())
                        .append("=\"$")
                        .append(value)
                        .append("\"\n");
            }
        }
        if (target == WlmType.PBSPRO && script.leadingDialect() != Dialect.PBS) {
            // PBS Pro would set the cores of all processes of the first chunk.
            export(text, "OMP_NUM_THREADS", "\"$_mg_threads\" NCPUS=\"$_mg_threads\"");
        }
        launchers(text, foreign, divides);
    }

    /**
     * The variables of other workload managers would make Open MPI start its processes with commands that do not exist on this cluster, and
     * the workload manager itself would tell it a process for each core.
     */
    private void launchers(final StringBuilder text, final Set<Dialect> foreign, final boolean divides) {
        final List<String> others = new ArrayList<>();
        foreign.stream()
                .filter(dialect -> dialect != target.dialect())
                .forEach(dialect -> others.add(openMpi(dialect)));
        if (!others.isEmpty()) {
            export(text, "OMPI_MCA_plm", "\"${OMPI_MCA_plm:-^" + String.join(",", others) + "}\"");
        }
        if (divides) {
            others.add(openMpi(Objects.requireNonNull(target.dialect())));
            export(text, "OMPI_MCA_orte_default_hostfile", "\"$_mg_host_file\"");
            export(text, "PRTE_MCA_prte_default_hostfile", "\"$_mg_host_file\"");
        }
        if (!others.isEmpty()) {
            export(text, "OMPI_MCA_ras", "\"${OMPI_MCA_ras:-^" + String.join(",", others) + "}\"");
        }
    }

    /** The component of Open MPI. */
    private static String openMpi(final Dialect dialect) {
        return switch (dialect) {
            case SLURM -> "slurm";
            case PBS -> "tm";
            case LSF -> "lsf";
        };
    }

    private void modules(final StringBuilder text) {
        if (modules.isEmpty()) {
            return;
        }
        text.append("for _mg_init in \"${MODULESHOME:-/none}/init/bash\" /etc/profile.d/modules.sh"
                        + " /etc/profile.d/lmod.sh")
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
