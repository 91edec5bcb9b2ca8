package io.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TestRunTest {

    static class Passes {
        @Test
        void well() {}
    }

    static class Mixed {
        @Test
        void well() {}

        @Test
        void badly() {
            throw new AssertionError("two cores are not four");
        }

        @Test
        @Disabled("needs root")
        void later() {}
    }

    static class WithoutSlurm {
        @BeforeAll
        static void open() {
            Assumptions.abort("no Slurm here");
        }

        @Test
        void well() {}
    }

    static class DoesNotOpen {
        @BeforeAll
        static void open() {
            throw new IllegalStateException("port 1 is in use");
        }

        @Test
        void well() {}
    }

    static class Attacked {
        @Test
        @Attack("a forged token")
        void held() {}

        @TestFactory
        @Attack("a path out of the folder")
        Stream<DynamicTest> broken() {
            return Stream.of("..", "/etc")
                    .map(path ->
                            DynamicTest.dynamicTest(path, () -> assertThat(path).isEqualTo("..")));
        }

        @Test
        void ordinary() {
            throw new AssertionError("not an attack");
        }
    }

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private boolean passes(final Class<?>... classes) {
        final String[] names = new String[classes.length];
        for (int i = 0; i < classes.length; i++) {
            names[i] = classes[i].getName();
        }
        return TestRun.passes(new PrintStream(output, true, StandardCharsets.UTF_8), names);
    }

    private String output() {
        return output.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_run_passes_if_every_test_passes_and_reports_each_class() {
        assertThat(passes(Passes.class)).isTrue();
        assertThat(output())
                .matches("\\[class] io.millrace.testing.TestRunTest\\$Passes: \\d+\\.\\d s, 1 run, 0 failed, 0 skipped,"
                        + " processor \\d+\\.\\d s\\R");
    }

    @Test
    void a_failed_test_fails_the_run_and_is_reported_with_its_cause() {
        assertThat(passes(Passes.class, Mixed.class)).isFalse();
        assertThat(output())
                .contains("[FAILED] io.millrace.testing.TestRunTest$Mixed.badly(): java.lang.AssertionError: two cores"
                        + " are not four")
                .contains("[skipped] io.millrace.testing.TestRunTest$Mixed.later(): needs root")
                .containsPattern("Mixed: .* s, 3 run, 1 failed, 1 skipped");
    }

    @Test
    void a_class_that_is_skipped_counts_as_one_skipped_test() {
        assertThat(passes(WithoutSlurm.class)).isTrue();
        assertThat(output())
                .contains("[skipped] io.millrace.testing.TestRunTest$WithoutSlurm: ")
                .contains("no Slurm here")
                .contains("1 run, 0 failed, 1 skipped");
    }

    @Test
    void a_class_that_does_not_open_fails_the_run() {
        assertThat(passes(DoesNotOpen.class)).isFalse();
        assertThat(output()).contains("port 1 is in use").contains("1 run, 1 failed, 0 skipped");
    }

    @Test
    void the_attacks_of_a_run_are_listed_with_their_results() {
        passes(Attacked.class, AttackedClass.class);
        assertThat(output())
                .contains(
                        "[attack] held: a forged token (1 case)",
                        "[attack] BROKEN: a path out of the folder (2 cases)",
                        "[attack] held: a poisoned record (2 cases)");
    }

    @Test
    void the_other_tests_of_a_class_can_be_left_out() {
        assertThat(TestRun.passes(
                        new PrintStream(output, true, StandardCharsets.UTF_8),
                        "--attacks",
                        Attacked.class.getName(),
                        AttackedClass.class.getName()))
                .isFalse();
        assertThat(output())
                .contains("broken()[2]", "3 run, 1 failed", "2 run, 0 failed")
                .doesNotContain("not an attack");
    }

    @Test
    void a_class_that_does_not_exist_fails_the_run() {
        assertThat(TestRun.passes(new PrintStream(output), "io.millrace.Nowhere"))
                .isFalse();
        assertThat(output()).contains("io.millrace.Nowhere");
    }
}
