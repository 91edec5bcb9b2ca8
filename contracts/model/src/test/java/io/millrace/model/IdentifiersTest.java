package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IdentifiersTest {

    private static final String ULID = "01JNFQ6M5T8W3KZX9B2C4D7E1F";

    private static Arguments good(final Function<String, ?> of, final String text) {
        return Arguments.of(of, text);
    }

    static Stream<Arguments> what_an_identifier_prints_it_reads_back() {
        return Stream.of(
                good(ClusterId::of, "alpha"),
                good(ClusterId::of, "a"),
                good(ClusterId::of, "hpc-2"),
                good(UserName::of, "anna.schmidt@hpc.example"),
                good(UserName::of, "jürgen"),
                good(UserName::of, "_svc"),
                good(UserName::of, "machine$"),
                good(ProjectName::of, "physics+x"),
                good(PartitionName::of, "gpu:a100"),
                good(NodeName::of, "n1.hpc.example"),
                good(CommandId::of, "backfill:start:alpha/123[7].server@2026-03-01T08:00:00Z:0"),
                good(JobId::of, "alpha/123"),
                good(JobId::of, "alpha/4711_7"),
                good(JobId::of, "alpha/123[7].server"),
                good(JobKey::of, "alpha/123@2026-03-01T08:00:00Z"),
                good(JobKey::of, "alpha/user@host.7@2026-03-01T08:00:00Z"),
                good(GlobalJobId::of, ULID),
                good(AttemptId::of, ULID + ".12"),
                good(TransferId::of, ULID + ".1/upload"),
                good(JobRef::of, "alpha/123@2026-03-01T08:00:00Z"),
                good(JobRef::of, ULID));
    }

    @ParameterizedTest
    @MethodSource
    void what_an_identifier_prints_it_reads_back(final Function<String, ?> of, final String text) {
        final Object read = of.apply(text);
        assertThat(read).hasToString(text);
        assertThat((Object) of.apply(read.toString())).isEqualTo(read);
    }

    static Stream<Arguments> what_could_be_taken_for_something_else_is_refused_and_named() {
        return Stream.of(
                good(ClusterId::of, ""),
                good(ClusterId::of, "Alpha"),
                good(ClusterId::of, "-alpha"),
                good(ClusterId::of, "alpha-"),
                good(ClusterId::of, "alpha/beta"),
                good(ClusterId::of, "a".repeat(64)),
                good(UserName::of, "-rf"),
                good(UserName::of, "anna schmidt"),
                good(UserName::of, "anna;id"),
                good(UserName::of, "anna\n"),
                good(UserName::of, "$(id)"),
                good(UserName::of, "a".repeat(129)),
                good(ProjectName::of, "physics/x"),
                good(PartitionName::of, "two words"),
                good(NodeName::of, "-n1"),
                good(NodeName::of, "n\u00001"),
                good(CommandId::of, "has blank"),
                good(CommandId::of, "x".repeat(256)),
                good(JobId::of, "123"),
                good(JobId::of, "alpha/"),
                good(JobId::of, "alpha/1 2"),
                good(JobId::of, "alpha/--help"),
                good(JobKey::of, "alpha/123"),
                good(JobKey::of, "alpha/123@yesterday"),
                good(GlobalJobId::of, ULID.substring(1)),
                good(GlobalJobId::of, "8" + ULID.substring(1)),
                good(GlobalJobId::of, ULID.replace('Z', 'U')),
                good(AttemptId::of, ULID),
                good(AttemptId::of, ULID + ".0"),
                good(AttemptId::of, ULID + ".x"),
                good(TransferId::of, ""),
                good(JobRef::of, "neither"));
    }

    @ParameterizedTest
    @MethodSource
    void what_could_be_taken_for_something_else_is_refused_and_named(final Function<String, ?> of, final String text) {
        assertThatThrownBy(() -> of.apply(text))
                .isInstanceOfAny(IllegalArgumentException.class, java.time.format.DateTimeParseException.class);
    }

    @Test
    void a_global_job_id_may_be_typed_in_lower_case() {
        assertThat(GlobalJobId.of(ULID.toLowerCase(java.util.Locale.ROOT))).isEqualTo(GlobalJobId.of(ULID));
    }

    @Test
    void a_job_reference_knows_which_kind_of_job_it_is() {
        assertThat(JobRef.of("alpha/123@2026-03-01T08:00:00Z")).isInstanceOf(JobKey.class);
        assertThat(JobRef.of(ULID)).isInstanceOf(GlobalJobId.class);
    }

    @Test
    void a_reused_local_id_is_another_job_and_fractions_of_a_second_are_not() {
        final JobId id = JobId.of("alpha/123");
        final JobKey first = new JobKey(id, Instant.parse("2026-03-01T08:00:00Z"));
        assertThat(new JobKey(id, Instant.parse("2026-03-02T08:00:00Z"))).isNotEqualTo(first);
        assertThat(new JobKey(id, Instant.parse("2026-03-01T08:00:00.7Z"))).isEqualTo(first);
    }

    @Test
    void resources_add_up_and_never_turn_negative() {
        final Resources two = new Resources(2, 1, 1024, 1);
        assertThat(two.plus(two)).isEqualTo(new Resources(4, 2, 2048, 2));
        assertThat(two.minus(two.plus(two))).isEqualTo(Resources.NONE);
        assertThat(two.fitsInto(two)).isTrue();
        assertThat(two.plus(Resources.cores(1)).fitsInto(two)).isFalse();
        assertThat(new Resources(1, 0, 2048, 0).fitsInto(two)).isFalse();
        assertThat(new Resources(1, 0, 0, 2).fitsInto(two)).isFalse();
        assertThatThrownBy(() -> Resources.cores(-1)).hasMessageContaining("cores=-1");
        assertThatThrownBy(() -> Resources.cores(Integer.MAX_VALUE).plus(Resources.cores(1)))
                .isInstanceOf(ArithmeticException.class);
    }
}
