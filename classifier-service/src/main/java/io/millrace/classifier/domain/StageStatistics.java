package io.millrace.classifier.domain;

import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.model.StageRule;
import io.millrace.classifier.domain.plan.Classification;
import java.util.ArrayList;
import java.util.List;

/** How often each stage of a model reduced the candidates, and by how much, so that their order can be chosen by evidence. */
public final class StageStatistics {

    /**
     * The work of one stage.
     *
     * @param entered jobs with several candidates before the stage
     * @param reduced jobs with fewer candidates after it than before
     * @param removed candidates that it removed in total
     */
    public record Figures(Stage stage, long entered, long reduced, long removed) {}

    private final List<Stage> stages;
    private final long[] entered;
    private final long[] reduced;
    private final long[] removed;
    private long jobs;
    private long unclassified;
    private long several;

    public StageStatistics(final ClassModel model) {
        stages = model.stages().stream().map(StageRule::stage).toList();
        entered = new long[stages.size()];
        reduced = new long[stages.size()];
        removed = new long[stages.size()];
    }

    public void add(final Classification found) {
        jobs++;
        if (found.isUnclassified()) {
            unclassified++;
            return;
        }
        int before = found.candidateCount();
        for (int s = 0; s < stages.size(); s++) {
            final int after = found.remaining(s);
            entered[s] += before > 1 ? 1 : 0;
            reduced[s] += after < before ? 1 : 0;
            removed[s] += before - after;
            before = after;
        }
        several += before > 1 ? 1 : 0;
    }

    /** In the order of the stages. */
    public List<Figures> stages() {
        final List<Figures> figures = new ArrayList<>();
        for (int s = 0; s < stages.size(); s++) {
            figures.add(new Figures(stages.get(s), entered[s], reduced[s], removed[s]));
        }
        return figures;
    }

    public long jobs() {
        return jobs;
    }

    /** Jobs without any class. */
    public long unclassified() {
        return unclassified;
    }

    /** Jobs that more than one class remained for. */
    public long several() {
        return several;
    }
}
