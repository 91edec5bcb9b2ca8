package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The characteristics that a class uses: its columns of the matrices A and B without the zeros.
 *
 * @param used indexes of the characteristics, ascending
 * @param allowed the domain allowed of each
 * @param mandatory whether each is mandatory
 */
record Requirements(int[] used, Domain[] allowed, boolean[] mandatory) {

    static Requirements of(final JobClass jobClass, final List<Characteristic> all) {
        final int[] used = IntStream.range(0, all.size())
                .filter(i -> jobClass.domain(all.get(i).name()) != null)
                .toArray();
        final Domain[] allowed = new Domain[used.length];
        final boolean[] mandatory = new boolean[used.length];
        for (int u = 0; u < used.length; u++) {
            final String name = all.get(used[u]).name();
            allowed[u] = Objects.requireNonNull(jobClass.domain(name));
            mandatory[u] = jobClass.mandatory().containsKey(name);
        }
        return new Requirements(used, allowed, mandatory);
    }

    /** Whether a job satisfies the u-th characteristic: it gives it, and requires no more than the class allows. */
    boolean isSatisfied(final int u, final GivenDomains job) {
        final Domain given = job.get(used[u]);
        return given != null && allowed[u].includes(given);
    }

    /** Whether the u-th characteristic excludes a job that does not satisfy it. */
    boolean isRequired(final int u, final GivenDomains job) {
        return mandatory[u] || job.has(used[u]);
    }
}
