package io.millrace.classifier.domain;

import io.millrace.classifier.domain.extraction.GivenCharacteristics;
import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.plan.Classification;
import io.millrace.classifier.domain.plan.Classifier;
import io.millrace.classifier.domain.plan.GivenDomains;
import io.millrace.classifier.domain.plan.ModelCheck;
import io.millrace.classifier.domain.plan.ModelWarning;
import io.millrace.classifier.domain.view.JobHistory;
import io.millrace.classifier.domain.view.RecentJobs.Recent;
import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelChecked.OtherClasses;
import io.millrace.model.policy.ClassModelChecked.StageWork;
import io.millrace.model.policy.Request.ClassModelRequested;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Classifies the last jobs, in their order, with the model in force and with a draft. Ended jobs become the history of both, so stage psi
 * sees the jobs before each job, not those before the first one.
 */
public final class ModelPreview {

    /** How many jobs with other classes are listed. */
    private static final int EXAMPLES = 100;

    /** A model with the history that it has seen. */
    private static final class Trial {

        private final Classifier classifier;
        private final JobHistory history;
        private final StageStatistics statistics;

        Trial(final ClassModel model) {
            classifier = new Classifier(model);
            history = new JobHistory(model);
            statistics = new StageStatistics(model);
        }

        List<String> classes(final JobFacts facts, final boolean executed) {
            final Map<String, Domain> found =
                    GivenCharacteristics.of(classifier.model(), facts).given();
            if (found.isEmpty()) {
                return List.of();
            }
            final GivenDomains given = classifier.given(found);
            final Classification result = classifier.classify(given, history);
            statistics.add(result);
            if (executed) {
                history.executed(given, result.classes());
            }
            return result.classes();
        }
    }

    private ModelPreview() {}

    /** The warnings of a model, including characteristics that no job gives. */
    public static List<String> warnings(final ClassModel model) {
        return Stream.concat(
                        ModelCheck.warnings(model).stream().map(ModelWarning::toString),
                        GivenCharacteristics.unknown(model).stream()
                                .map(name -> "no job gives characteristic '" + name
                                        + "': it is not built in; add 'from' to extract it"))
                .toList();
    }

    public static ClassModelChecked of(
            final ClassModelRequested request,
            final ClassModel inForce,
            final ClassModel draft,
            final List<Recent> jobs) {
        final Trial now = new Trial(inForce);
        final Trial then = new Trial(draft);
        final List<OtherClasses> changed = new ArrayList<>();
        for (final Recent job : jobs) {
            final List<String> before = now.classes(job.facts(), job.executed());
            final List<String> after = then.classes(job.facts(), job.executed());
            if (!before.equals(after)) {
                changed.addFirst(new OtherClasses(job.job(), before, after));
            }
        }
        return new ClassModelChecked(
                request.author(),
                request.requestedAt(),
                true,
                null,
                warnings(draft),
                jobs.size(),
                changed.size(),
                changed.stream().limit(EXAMPLES).toList(),
                then.statistics.stages().stream()
                        .map(stage ->
                                new StageWork(stage.stage().label(), stage.entered(), stage.reduced(), stage.removed()))
                        .toList());
    }
}
