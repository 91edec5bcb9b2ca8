package io.millrace.story;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the story of two users on each cluster of a running stack of real Slurm; {@code ./millrace prove quota} brings that stack up: one
 * cluster where Millrace decides, one where Slurm does.
 */
public final class ProveQuota {

    private ProveQuota() {}

    public static void main(final String[] arguments) {
        final Telling story = ProveQuota::tell;
        story.asProcess(ProveQuota.class, arguments);
    }

    private static Telling.End tell(final Site site, final Cast cast) {
        final String first = site.clusters().getFirst().name();
        cast.operator()
                .millrace(first, "mgquota", List.of("clusters"))
                .orThrow()
                .lines()
                .forEach(cast.show()::plain);
        final List<Verdict> verdicts = new ArrayList<>();
        final List<String> figures = new ArrayList<>(List.of(QuotaStory.heading()));
        for (final Site.Cluster cluster : site.clusters()) {
            final QuotaStory story = new QuotaStory(cluster, cast);
            verdicts.addAll(story.tell(
                    cluster.name().equals(first) ? Optional.of(new SavingVictim(cast.alice())) : Optional.empty()));
            figures.addAll(story.figures());
        }
        return new Telling.End(verdicts, figures);
    }
}
