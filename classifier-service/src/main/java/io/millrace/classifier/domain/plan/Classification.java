package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Stage;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The classes of a job, and how they were found. Names and maps are built on demand. */
public final class Classification {

    private final ClassModel model;
    private final int[] candidates;
    /** For each stage of the model, the values of the candidates. */
    private final double[][] values;
    /** For each stage of the model, the number of classes that remain after it. */
    private final int[] remaining;
    /** Positions in candidates of the classes that remain at the end, best first. */
    private final int[] ranked;

    private final @Nullable ClosestMiss closest;

    private Classification(
            final ClassModel model,
            final int[] candidates,
            final double[][] values,
            final int[] remaining,
            final int[] ranked,
            final @Nullable ClosestMiss closest) {
        this.model = model;
        this.candidates = candidates;
        this.values = values;
        this.remaining = remaining;
        this.ranked = ranked;
        this.closest = closest;
    }

    static Classification of(
            final ClassModel model,
            final int[] candidates,
            final double[][] values,
            final int[] remaining,
            final int[] ranked) {
        return new Classification(model, candidates, values, remaining, ranked, null);
    }

    static Classification unclassified(final ClassModel model, final ClosestMiss closest) {
        return new Classification(model, new int[0], new double[0][], new int[0], new int[0], closest);
    }

    public boolean isUnclassified() {
        return candidates.length == 0;
    }

    /** The classes of the job, best first; none if it is unclassified. */
    public List<String> classes() {
        return Arrays.stream(ranked).mapToObj(this::name).toList();
    }

    /** The result of primary classification, in the order of the model. */
    public List<String> candidates() {
        return IntStream.range(0, candidates.length).mapToObj(this::name).toList();
    }

    /** The values of all candidates in each stage of the model, in its order. */
    public Map<Stage, Map<String, Double>> values() {
        final Map<Stage, Map<String, Double>> byStage = new LinkedHashMap<>();
        for (int s = 0; s < values.length; s++) {
            final Map<String, Double> byClass = new LinkedHashMap<>();
            for (int c = 0; c < candidates.length; c++) {
                byClass.put(name(c), values[s][c]);
            }
            byStage.put(model.stages().get(s).stage(), byClass);
        }
        return byStage;
    }

    /** How many classes remain after each stage of the model; fewer or as many as before it. */
    public List<Integer> remaining() {
        return Arrays.stream(remaining).boxed().toList();
    }

    /** How many classes remain after primary classification. */
    public int candidateCount() {
        return candidates.length;
    }

    /** How many classes remain after a stage, by its index in the model. */
    public int remaining(final int stage) {
        return remaining[stage];
    }

    /** The class that an unclassified job comes closest to. */
    public Optional<ClosestMiss> closest() {
        return Optional.ofNullable(closest);
    }

    private String name(final int candidate) {
        return model.classes().get(candidates[candidate]).name();
    }
}
