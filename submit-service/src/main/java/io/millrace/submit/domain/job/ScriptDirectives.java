package io.millrace.submit.domain.job;

import io.millrace.submit.domain.RequestRefused;
import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.directive.ScriptRequest;
import io.millrace.script.ScriptOption;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.JobSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a script's own directives say, and where the job that was made of it differs from them. */
public final class ScriptDirectives {

    private final ParsedScript read;
    private final ScriptRequest asked;

    public ScriptDirectives(final String script) {
        this.read = ScriptParser.read(script);
        this.asked = read.request();
    }

    ScriptRequest asked() {
        return asked;
    }

    boolean any() {
        return !read.dialects().isEmpty();
    }

    /** @param arrays whether an array is taken */
    List<RequestRefused.Field> wrong(final boolean arrays) {
        final List<RequestRefused.Field> wrong = new ArrayList<>();
        read.problems().forEach(problem -> wrong.add(new RequestRefused.Field("script", problem.toString())));
        final ScriptOption array = asked.array();
        if (!arrays && array != null) {
            wrong.add(new RequestRefused.Field(
                    "script",
                    array.where() + ": an array cannot be a global job yet; submit its tasks one by one (a dry run"
                            + " shows what each cluster would make of it)"));
        }
        return wrong;
    }

    /** What its owner should know of a job that was made of this script. */
    public List<String> remarks(final JobSpec spec) {
        final List<String> remarks = new ArrayList<>(read.remarks());
        remarks.addAll(asked.remarks());
        final Resources wanted = spec.resources();
        differs(remarks, JobSetting.Cores.class, "cores", wanted.cores(), asked.cores());
        differs(remarks, JobSetting.Nodes.class, "nodes", wanted.nodes(), asked.nodes());
        differs(remarks, JobSetting.Memory.class, "memory (MiB)", wanted.memoryMib(), asked.memoryMib());
        differs(remarks, JobSetting.Gpus.class, "GPUs", wanted.gpus(), asked.gpus());
        differs(remarks, JobSetting.Walltime.class, "walltime", spec.walltime(), asked.walltime());
        differs(
                remarks,
                JobSetting.Partition.class,
                "partition",
                Objects.toString(spec.partition(), null),
                asked.partition());
        differs(remarks, JobSetting.Project.class, "project", Objects.toString(spec.project(), null), asked.project());
        if (read.dialects().size() > 1) {
            remarks.add("the script has directives of several systems: its size is taken from the "
                    + Objects.requireNonNull(read.leadingDialect()).prefix() + " lines, each system reads the other options"
                    + " from its own");
        }
        return remarks;
    }

    private void differs(
            final List<String> remarks,
            final Class<? extends JobSetting> kind,
            final String what,
            final @Nullable Object counts,
            final @Nullable Object said) {
        if (said == null || said.equals(counts)) {
            return;
        }
        remarks.add(what + ": the submission's " + counts + " counts, not the " + said + " of " + where(kind));
    }

    /** The line that says it, for people. */
    String where(final Class<? extends JobSetting> kind) {
        return read.of(read.leadingDialect()).stream()
                .filter(option -> kind.isInstance(option.setting()))
                .reduce((first, second) -> second)
                .map(ScriptOption::where)
                .orElse("the script's directives");
    }
}
