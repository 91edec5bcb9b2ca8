package io.millrace.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes on the class path without Maven, which takes more processor time per module than most modules' tests. {@code ./millrace
 * test} reads its output: one line per class, and one per failed or skipped test.
 */
public final class TestRun implements TestExecutionListener {

    /** A word of the arguments: of the classes after it, only the tests that are marked as {@link Attack}. */
    private static final String ATTACKS = "--attacks";

    private static final String JBOSS_LOG_MANAGER = "org.jboss.logmanager.LogManager";

    /** The tests of one class. */
    private static final class Tally {
        private final long begun = System.nanoTime();
        private final double processorTime = ProcessorTime.seconds();
        private final AtomicInteger run = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger skipped = new AtomicInteger();

        @Override
        public String toString() {
            final double seconds = (System.nanoTime() - begun) / 1e9;
            final double processor = ProcessorTime.seconds() - processorTime;
            return String.format(
                    Locale.ROOT,
                    "%.1f s, %s run, %s failed, %s skipped, processor %.1f s",
                    seconds,
                    run,
                    failed,
                    skipped,
                    processor);
        }
    }

    /** The tests that try one attack. */
    private static final class Attempts {
        private final AtomicInteger run = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger skipped = new AtomicInteger();

        String result() {
            if (failed.get() > 0) {
                return "BROKEN";
            }
            return skipped.get() > 0 ? "skipped" : "held";
        }
    }

    private final PrintStream out;
    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
    private final Map<String, Attempts> attacks = new ConcurrentSkipListMap<>();
    private volatile @Nullable TestPlan plan;

    private TestRun(final PrintStream out) {
        this.out = out;
    }

    /** @param classes names of test classes; after {@code --attacks}, only their tests that try an attack run */
    public static void main(final String... classes) {
        setLogManager();
        System.exit(passes(System.out, classes) ? 0 : 1); // even if a test left a thread running
    }

    static boolean passes(final PrintStream out, final String... classes) {
        final boolean attacksOnly = classes.length > 0 && classes[0].equals(ATTACKS);
        final LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(classes)
                        .skip(attacksOnly ? 1 : 0)
                        .map(name -> selectClass(name))
                        .toList());
        if (attacksOnly) {
            request.filters(TagFilter.includeTags(Attack.TAG));
        }
        final TestRun run = new TestRun(out);
        LauncherFactory.create().execute(request.build(), run);
        run.attacks.forEach((attack, attempts) -> out.println("[attack] " + attempts.result() + ": " + attack + " ("
                + attempts.run + (attempts.run.get() == 1 ? " case)" : " cases)")));
        return run.passed();
    }

    /** Quarkus needs this log manager, and the property must be set before the first logger is created. */
    private static void setLogManager() {
        try {
            Class.forName(JBOSS_LOG_MANAGER, false, TestRun.class.getClassLoader());
            System.setProperty("java.util.logging.manager", JBOSS_LOG_MANAGER);
        } catch (final ClassNotFoundException e) {
            return; // a module without Quarkus
        }
    }

    private boolean passed() {
        return !tallies.isEmpty() && tallies.values().stream().allMatch(tally -> tally.failed.get() == 0);
    }

    @Override
    public void testPlanExecutionStarted(final TestPlan tests) {
        plan = tests;
    }

    @Override
    public void executionStarted(final TestIdentifier id) {
        if (isClass(id)) {
            tally(id);
        }
    }

    @Override
    public void executionSkipped(final TestIdentifier id, final String reason) {
        attempted(id, Status.ABORTED);
        skipped(id, reason);
        if (isClass(id)) {
            report(id);
        }
    }

    @Override
    public void executionFinished(final TestIdentifier id, final TestExecutionResult result) {
        attempted(id, result.getStatus());
        final Throwable cause = result.getThrowable().orElseGet(() -> new AssertionError("no cause given"));
        if (result.getStatus() == Status.FAILED) {
            tally(id).run.incrementAndGet();
            tally(id).failed.incrementAndGet();
            out.println("[FAILED] " + name(id) + ": " + trace(cause));
        } else if (result.getStatus() == Status.ABORTED) {
            skipped(id, String.valueOf(cause.getMessage()));
        } else if (id.isTest()) {
            tally(id).run.incrementAndGet();
        }
        if (isClass(id)) {
            report(id);
        }
    }

    private void attempted(final TestIdentifier id, final Status status) {
        if (!id.isTest() && status == Status.SUCCESSFUL) {
            return; // its tests are counted
        }
        attack(id).ifPresent(attack -> {
            final Attempts attempts = attacks.computeIfAbsent(attack, text -> new Attempts());
            attempts.run.incrementAndGet();
            switch (status) {
                case FAILED -> attempts.failed.incrementAndGet();
                case ABORTED -> attempts.skipped.incrementAndGet();
                case SUCCESSFUL -> {}
            }
        });
    }

    /** What the test, or the container that it belongs to, tries. A method's annotation precedes the class's. */
    private Optional<String> attack(final TestIdentifier id) {
        final Optional<String> own = id.getSource().flatMap(TestRun::attack);
        return own.isPresent()
                ? own
                : Optional.ofNullable(plan)
                        .flatMap(tests -> tests.getParent(id))
                        .flatMap(this::attack);
    }

    private static Optional<String> attack(final TestSource source) {
        return switch (source) {
            case MethodSource method -> attack(method.getJavaMethod());
            case ClassSource type -> attack(type.getJavaClass());
            default -> Optional.empty();
        };
    }

    private static Optional<String> attack(final AnnotatedElement element) {
        return Optional.ofNullable(element.getAnnotation(Attack.class)).map(Attack::value);
    }

    private void skipped(final TestIdentifier id, final String reason) {
        tally(id).run.incrementAndGet();
        tally(id).skipped.incrementAndGet();
        out.println("[skipped] " + name(id) + ": " + reason.lines().findFirst().orElse(""));
    }

    private void report(final TestIdentifier id) {
        out.println("[class] " + className(id) + ": " + tally(id));
    }

    private Tally tally(final TestIdentifier id) {
        return tallies.computeIfAbsent(className(id), name -> new Tally());
    }

    /** Whether it is a class itself: below the engine, above its nested classes and tests. */
    private static boolean isClass(final TestIdentifier id) {
        return id.getUniqueIdObject().getSegments().size() == 2;
    }

    private static String className(final TestIdentifier id) {
        final List<UniqueId.Segment> segments = id.getUniqueIdObject().getSegments();
        return segments.get(Math.min(1, segments.size() - 1)).getValue();
    }

    private static String name(final TestIdentifier id) {
        return isClass(id) ? className(id) : className(id) + "." + id.getLegacyReportingName();
    }

    private static String trace(final Throwable cause) {
        final StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
