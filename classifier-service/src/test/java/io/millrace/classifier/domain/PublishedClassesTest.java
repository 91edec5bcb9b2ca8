package io.millrace.classifier.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.domain.PublishedClasses.Change;
import io.millrace.model.JobKey;
import io.millrace.model.policy.Classified;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedClassesTest {

    private static final JobKey ONE = JobKey.of("alpha/1@2026-03-01T12:00:00Z");
    private static final JobKey TWO = JobKey.of("alpha/2@2026-03-01T12:00:00Z");

    private static Classified said(final JobKey job, final String name) {
        return new Classified(job, List.of(name), List.of());
    }

    @Test
    void a_classification_is_published_once_and_again_only_when_it_changes() {
        final PublishedClasses classes = new PublishedClasses(true);
        classes.classified(said(ONE, "small"));
        assertThat(classes.decide()).containsExactly(new Change.Publish(said(ONE, "small")));
        classes.classified(said(ONE, "small"));
        assertThat(classes.decide()).isEmpty();
        classes.classified(said(ONE, "large"));
        assertThat(classes.decide()).containsExactly(new Change.Publish(said(ONE, "large")));
        classes.removed(ONE);
        classes.removed(TWO);
        assertThat(classes.decide()).containsExactly(new Change.Remove(ONE));
        assertThat(classes.decide()).isEmpty();
    }

    @Test
    void after_a_restart_nothing_is_repeated_and_jobs_that_have_left_are_removed() {
        final PublishedClasses classes = new PublishedClasses(true);
        classes.read(said(ONE, "small"));
        classes.read(said(TWO, "small"));
        classes.classified(said(ONE, "small"));
        assertThat(classes.decide()).containsExactly(new Change.Remove(TWO));
    }

    @Test
    void where_the_replay_does_not_name_every_job_silence_means_nothing() {
        final PublishedClasses classes = new PublishedClasses(false);
        classes.read(said(ONE, "small"));
        assertThat(classes.decide()).isEmpty();
    }

    @Test
    void another_model_publishes_only_the_changes() {
        final PublishedClasses classes = new PublishedClasses(true);
        classes.read(said(ONE, "small"));
        classes.read(said(TWO, "small"));
        classes.classified(said(ONE, "small"));
        classes.classified(said(TWO, "tiny"));
        assertThat(classes.decide()).containsExactly(new Change.Publish(said(TWO, "tiny")));
    }

    @Test
    void a_job_that_has_started_keeps_its_classes() {
        final PublishedClasses classes = new PublishedClasses(true);
        classes.read(said(ONE, "small"));
        classes.classifiedAfterStart(said(ONE, "tiny"));
        classes.classifiedAfterStart(said(TWO, "tiny"));
        assertThat(classes.decide()).containsExactly(new Change.Publish(said(TWO, "tiny")));
        classes.classified(said(TWO, "small"));
        classes.classifiedAfterStart(said(TWO, "large"));
        assertThat(classes.decide()).containsExactly(new Change.Publish(said(TWO, "small")));
    }

    @Test
    void an_older_record_does_not_restore_it() {
        final PublishedClasses classes = new PublishedClasses(true);
        classes.classified(said(ONE, "small"));
        classes.decide();
        classes.classified(said(ONE, "large"));
        classes.decide();
        classes.read(said(ONE, "small"));
        classes.classified(said(ONE, "large"));
        assertThat(classes.decide()).isEmpty();
    }
}
