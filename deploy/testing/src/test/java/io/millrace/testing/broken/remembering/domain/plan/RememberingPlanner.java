package io.millrace.testing.broken.remembering.domain.plan;

public final class RememberingPlanner {
    private int plans;

    public int plan() {
        return ++plans;
    }
}
