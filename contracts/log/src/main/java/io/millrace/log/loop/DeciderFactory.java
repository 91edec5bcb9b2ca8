package io.millrace.log.loop;

/** Opens an empty decider for a partition; called at each assignment and again after any trouble. */
@FunctionalInterface
public interface DeciderFactory {

    Decider open(int partition);
}
