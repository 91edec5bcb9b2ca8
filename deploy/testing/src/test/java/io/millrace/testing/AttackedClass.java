package io.millrace.testing;

import org.junit.jupiter.api.Test;

/** A class that is marked as a whole, for {@link TestRunTest}. It is no test of its own, so that the list of attacks leaves it out. */
@Attack("a poisoned record")
class AttackedClass {
    @Test
    void first() {}

    @Test
    void second() {}
}
