package io.millrace.lab.planners.verification;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./millrace bench quota-rules}: checks plans of random clusters against promise 4 and the quota rules. */
@Command(name = "quota-rules", description = "Checks plans of random clusters against promise 4 and the quota rules.")
public final class CheckQuotaRules implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "RUNS", description = "number of random runs (default: 10000)")
    private int runs = 10_000;

    private final PrintStream out;
    private final PrintStream err;

    public CheckQuotaRules(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {

        RandomQuotaClusters.Counts all = new RandomQuotaClusters.Counts(0, 0, 0, 0, 0);
        int broken = 0;
        for (int seed = 1; seed <= runs; seed++) {
            try {
                all = all.and(RandomQuotaClusters.run(seed));
            } catch (final IllegalStateException e) {
                err.println(e.getMessage());
                broken++;
            }
        }
        out.println(runs + " runs, " + broken + " with a violated rule; " + all.reclaims() + " reclaims of "
                + all.preemptions() + " jobs (" + all.savings() + " with a checkpoint), " + all.vetoes() + " vetoes, "
                + all.heldBack()
                + " holds at a limit");
        return broken == 0 ? 0 : 1;
    }
}
