package io.millrace.lab.planners.experiment.classification;

import io.millrace.classifier.domain.estimate.JobProfile;
import io.millrace.classifier.domain.estimate.RunTimeEstimator;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.swf.SwfJob;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The accuracy of several estimators on one log: of all jobs, and in each class, of each user and of each program. */
final class TraceAccuracy {

    /** How the jobs of a log are sorted. */
    enum Kind {
        ALL(profile -> "all"),
        CLASS(JobProfile::jobClass),
        USER(JobProfile::user),
        PROGRAM(profile -> profile.program().isEmpty() ? "not known" : profile.program());

        private final Function<JobProfile, String> group;

        Kind(final Function<JobProfile, String> group) {
            this.group = group;
        }

        private String of(final SwfJob job) {
            return group.apply(EstimateAccuracy.profile(job));
        }
    }

    private final Map<String, List<Map<String, EstimateAccuracy>>> byEstimator = new LinkedHashMap<>();

    void add(
            final String name,
            final List<SwfJob> trace,
            final List<SimulatedJob> schedule,
            final RunTimeEstimator estimator) {
        final List<Function<SwfJob, String>> kinds =
                List.of(Kind.ALL::of, Kind.CLASS::of, Kind.USER::of, Kind.PROGRAM::of);
        byEstimator.put(name, EstimateAccuracy.by(trace, schedule, estimator, kinds));
    }

    List<String> estimators() {
        return List.copyOf(byEstimator.keySet());
    }

    EstimateAccuracy all(final String estimator) {
        return Objects.requireNonNull(by(estimator, Kind.ALL).get("all"));
    }

    /** The accuracy of an estimator in each group. */
    Map<String, EstimateAccuracy> by(final String estimator, final Kind kind) {
        return Objects.requireNonNull(byEstimator.get(estimator), estimator).get(kind.ordinal());
    }
}
