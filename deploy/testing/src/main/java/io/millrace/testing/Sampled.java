package io.millrace.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * The values of a parameterized test that is too slow to run with all of them every time. A run takes one of them, chosen by the
 * {@linkplain Sample#seed() seed}; {@code ./millrace prove crash} takes all of them.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(SampledArguments.class)
public @interface Sampled {

    /** All values of the test's only parameter. */
    String[] value();
}
