package io.millrace.script.wrapper;

import io.millrace.model.ClusterId;
import io.millrace.model.job.JobSpec;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmType;
import java.util.stream.Collectors;

/** Bash code that determines, on the cluster where the job runs, the values of the variables of other workload managers. */
final class VariableSetup {

    private VariableSetup() {}

    /** The values that every job needs: its id and its number of restarts. */
    static String basic(final WlmType target) {
        return switch (target) {
            case SLURM -> "_mg_job_id=$SLURM_JOB_ID\n_mg_restarts=${SLURM_RESTART_COUNT:-0}\n";
            case PBSPRO, TORQUE -> "_mg_job_id=$PBS_JOBID\n" + counted();
            case LSF -> """
                _mg_job_id=$LSB_JOBID
                [ "${LSB_JOBINDEX:-0}" = 0 ] || _mg_job_id="$LSB_JOBID[$LSB_JOBINDEX]"
                """ + counted();
            case LOCAL -> "_mg_job_id=${MILLRACE_JOB_ID:-}\n_mg_restarts=${MILLRACE_RESTART:-0}\n";
        };
    }

    /** PBS and LSF do not report the number of starts: a hidden file in the job directory counts them. */
    private static String counted() {
        return """
            _mg_count=.millrace-$_mg_job_id.starts
            _mg_restarts=0
            [ ! -r "$_mg_count" ] || read -r _mg_restarts <"$_mg_count"
            case $_mg_restarts in '' | *[!0-9]*) _mg_restarts=0 ;; esac
            printf '%d\\n' "$((10#$_mg_restarts + 1))" >"$_mg_count"
            """;
    }

    /** The values of the variables of other workload managers. */
    static String foreign(final WlmType target, final JobSpec spec, final TaskLayout layout, final ClusterId cluster) {
        return constants(spec, layout, cluster)
                + slots(target)
                + (dividesSlots(target, layout) ? processes(layout) : "")
                + fromSlots();
    }

    /** Whether the workload manager lists a slot for each core of the job, although its processes have other numbers of cores. */
    static boolean dividesSlots(final WlmType target, final TaskLayout layout) {
        return switch (target) {
            case TORQUE, LSF -> layout.tasks() != layout.cores();
            case SLURM -> layout.coresPerTask() == 0;
            case PBSPRO, LOCAL -> false;
        };
    }

    /**
     * Reduces {@code _mg_slots} to the processes of each host: parts of the job are found on the hosts by their cores. Slots that LSF itself
     * has bound to several cores are processes already.
     */
    private static String processes(final TaskLayout layout) {
        final int coresPerTask = layout.coresPerTask();
        final String parts = coresPerTask > 0
                ? coresPerTask + ":1:0"
                : layout.parts().stream()
                        .map(part -> part.cores() + ":" + part.tasks() + ":" + (layout.isUniform() ? 0 : part.count()))
                        .collect(Collectors.joining(" "));
        return """
            [ "$(printf '%%s\\n' "$_mg_slots" | awk 'END { print NR }')" = "$_mg_tasks" ] || _mg_slots=$(printf '%%s\\n' "$_mg_slots" | awk -v parts='%s' '
                { if (!slots[$0]++) host[++hosts] = $0 }
                END { kinds = split(parts, part, " ")
                  for (k = 1; k <= kinds; k++) { split(part[k], n, ":"); cores[k] = n[1]; tasks[k] = n[2]; left[k] = n[3] > 0 ? n[3] : -1 }
                  for (h = 1; h <= hosts; h++) { free = slots[host[h]]; all = 0
                    do { found = 0
                      for (k = 1; k <= kinds; k++) if (left[k] && cores[k] <= free && (!found || cores[k] == free && cores[found] != free)) found = k
                      if (found) { free -= cores[found]; all += tasks[found]; left[found]-- }
                    } while (found && free > 0)
                    for (i = 0; i < (all ? all : 1); i++) print host[h] } }')
            """.formatted(parts);
    }

    private static String constants(final JobSpec spec, final TaskLayout layout, final ClusterId cluster) {
        final StringBuilder text = new StringBuilder();
        assign(text, JobVariable.Meaning.CLUSTER, ShellQuote.of(cluster.value()));
        assign(
                text,
                JobVariable.Meaning.PARTITION,
                spec.partition() == null ? "" : ShellQuote.of(spec.partition().value()));
        assign(text, JobVariable.Meaning.JOB_NAME, ShellQuote.of(spec.name()));
        assign(text, JobVariable.Meaning.SUBMIT_DIR, "$PWD");
        assign(text, JobVariable.Meaning.OWNER, "${USER:-$(id -un)}");
        assign(text, JobVariable.Meaning.OWNER_HOME, "${HOME:-}");
        assign(text, JobVariable.Meaning.OWNER_SHELL, "${SHELL:-}");
        assign(text, JobVariable.Meaning.OWNER_PATH, "${PATH:-}");
        assign(text, JobVariable.Meaning.LANGUAGE, "${LANG:-}");
        assign(text, JobVariable.Meaning.BATCH, "PBS_BATCH");
        assign(text, JobVariable.Meaning.ZERO, "0");
        assign(text, JobVariable.Meaning.HOST, "$(hostname)");
        assign(
                text,
                JobVariable.Meaning.PROJECT,
                spec.project() == null ? "" : ShellQuote.of(spec.project().value()));
        assign(text, JobVariable.Meaning.TASKS, Integer.toString(layout.tasks()));
        assign(text, JobVariable.Meaning.THREADS, Integer.toString(threads(layout)));
        assign(text, JobVariable.Meaning.OPENMP_THREADS, layout.threads() > 0 ? "" + layout.threads() : "");
        assign(text, JobVariable.Meaning.CORES_PER_TASK, layout.coresPerTask() > 1 ? "" + layout.coresPerTask() : "");
        assign(text, JobVariable.Meaning.TASKS_PER_NODE, layout.tasksPerNode() > 0 ? "" + layout.tasksPerNode() : "");
        assign(
                text,
                JobVariable.Meaning.WALLTIME_S,
                Long.toString(spec.walltime().toSeconds()));
        assign(
                text,
                JobVariable.Meaning.GPUS,
                spec.resources().gpus() > 0 ? "" + spec.resources().gpus() : "");
        return text.toString();
    }

    /** Cores of the first process. PBS Pro sets {@code NCPUS} to the threads. */
    private static int threads(final TaskLayout layout) {
        final TaskLayout.Part first = layout.parts().getFirst();
        return layout.threads() > 0 ? layout.threads() : Math.max(1, first.cores() / Math.max(1, first.tasks()));
    }

    private static void assign(final StringBuilder text, final JobVariable.Meaning meaning, final String value) {
        text.append(meaning.shellVariable()).append('=').append(value).append('\n');
    }

    /** {@code _mg_slots}: the host of each process, one per line. */
    private static String slots(final WlmType target) {
        return switch (target) {
            case SLURM -> """
                _mg_partition=${SLURM_JOB_PARTITION:-}
                _mg_submit_host=${SLURM_SUBMIT_HOST:-}
                _mg_array_job=${SLURM_ARRAY_JOB_ID:-}
                _mg_array_index=${SLURM_ARRAY_TASK_ID:-}
                _mg_hosts=$(scontrol show hostnames "${SLURM_JOB_NODELIST:-}" 2>/dev/null) || _mg_hosts=$_mg_host
                _mg_slots=$(printf '%s\\n' "${SLURM_TASKS_PER_NODE:-$_mg_tasks}" | awk -v hosts="${_mg_hosts//$'\\n'/,}" '
                    { n = split(hosts, host, ","); parts = split($0, part, ","); at = 0
                      for (p = 1; p <= parts; p++) { times = 1
                        if (match(part[p], /\\(x[0-9]+\\)/)) times = substr(part[p], RSTART + 2, RLENGTH - 3)
                        for (t = 0; t < times; t++) { at++; for (i = 0; i < part[p] + 0 && at <= n; i++) print host[at] } } }')
                """;
            case PBSPRO, TORQUE -> """
                _mg_partition=${PBS_QUEUE:-}
                _mg_submit_host=${PBS_O_HOST:-}
                _mg_array_index=${PBS_ARRAY_INDEX:-${PBS_ARRAYID:-}}
                [ -z "$_mg_array_index" ] || _mg_array_job=${PBS_ARRAY_ID:-${_mg_job_id/"[$_mg_array_index]"/[]}}
                _mg_slots=$(cat -- "${PBS_NODEFILE:-/dev/null}" 2>/dev/null) || _mg_slots=
                """;
            case LSF -> """
                _mg_partition=${LSB_QUEUE:-}
                _mg_submit_host=${LSB_SUB_HOST:-}
                [ "${LSB_JOBINDEX:-0}" = 0 ] || { _mg_array_index=$LSB_JOBINDEX; _mg_array_job=$LSB_JOBID; }
                _mg_slots=$(printf '%s\\n' "${LSB_MCPU_HOSTS:-}" | awk '{ for (f = 1; f < NF; f += 2) for (i = 0; i < $(f + 1) + 0; i++) print $f }')
                """;
            case LOCAL -> """
                _mg_submit_host=$_mg_host
                """;
        };
    }

    private static String fromSlots() {
        return """
            [ -n "${_mg_slots:-}" ] || _mg_slots=$(awk -v n="$_mg_tasks" -v host="$_mg_host" 'BEGIN { while (n-- > 0) print host }')
            _mg_host_list=$(printf '%s\\n' "$_mg_slots" | awk '!seen[$0]++' | paste -s -d ,)
            _mg_nodes=$(printf '%s\\n' "$_mg_slots" | awk '!seen[$0]++ { n++ } END { print n }')
            _mg_hosts_by_slot=${_mg_slots//$'\\n'/ }
            _mg_hosts_with_counts=$(printf '%s\\n' "$_mg_slots" | awk '{ if (!n[$0]++) host[++hosts] = $0 } END { for (i = 1; i <= hosts; i++) printf "%s %d ", host[i], n[host[i]] }')
            _mg_tasks_by_host=$(printf '%s\\n' "$_mg_slots" | awk '{ if (!n[$0]++) host[++hosts] = $0 } END { for (i = 1; i <= hosts; i++) printf "%s%d", (i > 1 ? "," : ""), n[host[i]] }')
            _mg_array_index_or_0=${_mg_array_index:-0}
            _mg_host_file=$(mktemp "${TMPDIR:-/tmp}/millrace-hosts.XXXXXXXX")
            printf '%s\\n' "$_mg_slots" >"$_mg_host_file"
            """;
    }
}
