package io.millrace.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test that tries an attack and passes if Millrace withstands it. {@code ./millrace prove attacks} runs all of them and lists them
 * by their value; {@code docs/security.md} explains what each kind of attacker may do.
 */
@Documented
@Tag(Attack.TAG)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Attack {

    String TAG = "attack";

    /** What the attacker tries, in one sentence without a final dot: "a login key of one cluster vouches for an operator". */
    String value();
}
