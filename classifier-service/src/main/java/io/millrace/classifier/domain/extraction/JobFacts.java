package io.millrace.classifier.domain.extraction;

import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about a job, independent of any model.
 *
 * @param values the built-in characteristics; only those that the job gives
 * @param texts the texts that extractors search, by the name of the field
 */
public record JobFacts(Map<String, Domain> values, Map<String, List<String>> texts) {

    /** The names of all built-in characteristics. */
    public static final Set<String> BUILT_IN = Set.of(
            "variants",
            "cores",
            "nodes",
            "gpus",
            "memory_mib",
            "minutes",
            "dependencies",
            "mode",
            "partition",
            "qos",
            "owner",
            "project",
            "name",
            "programs",
            "interpreter",
            "modules",
            "parallelism");

    /** The fields that extractors can search, besides {@code environment.NAME}. */
    public static final Set<String> FIELDS =
            Set.of("script", "executable", "name", "partition", "qos", "owner", "project");

    public JobFacts {
        values = Map.copyOf(values);
        texts = Map.copyOf(texts);
    }

    public static JobFacts of(final JobObserved job) {
        final Builder facts = new Builder();
        facts.request(job.resources(), job.walltime());
        ArraySize.of(job.job().id().local()).ifPresent(n -> facts.number("variants", (double) n));
        facts.number("dependencies", job.detail().dependencies().size());
        facts.name("mode", job.detail().interactive() ? "interactive" : "batch");
        facts.field("name", job.name());
        facts.field("owner", job.owner().value());
        facts.field("partition", job.partition().value());
        facts.field("qos", job.detail().qos());
        facts.project(job.project());
        return facts.build();
    }

    /** Accounting knows the request of a job, but not its script, its dependencies and whether it was interactive. */
    public static JobFacts of(final RunEnded end) {
        return ofRun(
                end.job(), end.name(), end.owner(), end.project(), end.partition(), end.resources(), end.walltime());
    }

    /** As of an ended run with this request. */
    public static JobFacts ofRun(
            final JobKey job,
            final String name,
            final UserName owner,
            final @Nullable ProjectName project,
            final PartitionName partition,
            final Resources asked,
            final @Nullable Duration walltime) {
        final Builder facts = new Builder();
        facts.request(asked, walltime);
        ArraySize.of(job.id().local()).ifPresent(n -> facts.number("variants", n));
        facts.field("name", name);
        facts.field("owner", owner.value());
        facts.field("partition", partition.value());
        facts.project(project);
        return facts.build();
    }

    public static JobFacts of(final JobSubmitted job) {
        final JobSpec spec = job.spec();
        final Builder facts = new Builder();
        facts.request(spec.resources(), spec.walltime());
        facts.number("variants", 1);
        facts.name("mode", "batch");
        facts.field("name", spec.name());
        facts.field("owner", job.owner().value());
        facts.field(
                "partition", spec.partition() == null ? null : spec.partition().value());
        facts.project(spec.project());
        facts.script(spec.script());
        spec.environment().forEach((name, value) -> facts.text("environment." + name, value));
        return facts.build();
    }

    /** Collects what a job gives. */
    private static final class Builder {

        private final Map<String, Domain> values = new HashMap<>();
        private final Map<String, List<String>> texts = new HashMap<>();

        private void request(final Resources asked, final @Nullable Duration walltime) {
            number("cores", asked.cores());
            number("gpus", asked.gpus());
            if (asked.nodes() > 0) {
                number("nodes", asked.nodes());
            }
            if (asked.memoryMib() > 0) {
                number("memory_mib", (double) asked.memoryMib());
            }
            number("minutes", walltime == null ? Double.POSITIVE_INFINITY : (double) walltime.toMillis() / 60_000);
        }

        private void script(final String script) {
            final ScriptFacts facts = ScriptFacts.of(script);
            values.put("programs", SetDomain.exactly(facts.programs()));
            values.put("modules", SetDomain.exactly(facts.modules()));
            if (facts.interpreter() != null) {
                name("interpreter", facts.interpreter());
            }
            name("parallelism", facts.mpi() ? facts.threads() ? "mixed" : "mpi" : facts.threads() ? "threads" : "none");
            text("script", script);
            texts.put("executable", new ArrayList<>(facts.programs()));
        }

        private void project(final @Nullable ProjectName project) {
            field("project", project == null ? null : project.value());
        }

        /** A field that is a characteristic, too. */
        private void field(final String name, final @Nullable String value) {
            if (value != null) {
                name(name, value);
                text(name, value);
            }
        }

        private void number(final String name, final double value) {
            values.put(name, NumberRange.exactly(value));
        }

        private void name(final String name, final String value) {
            values.put(name, OneOf.of(value));
        }

        private void text(final String name, final String value) {
            texts.put(name, List.of(value));
        }

        private JobFacts build() {
            return new JobFacts(values, texts);
        }
    }
}
