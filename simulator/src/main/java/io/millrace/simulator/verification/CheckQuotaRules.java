package io.millrace.simulator.verification;

import java.io.PrintStream;

/** {@code ./millrace bench quota-rules [WORLDS]}: so many random centres, each plan held against promise 4 and the quota rules. */
public final class CheckQuotaRules {

    private static final int USUAL = 10_000;

    private final PrintStream out;
    private final PrintStream err;

    public CheckQuotaRules(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run(final String... args) {
        if (args.length > 1 || args.length == 1 && !args[0].matches("[1-9]\\d{0,8}")) {
            err.println("usage: bench quota-rules [WORLDS]   (a number; else " + USUAL + ")");
            return 2;
        }
        final int worlds = args.length == 0 ? USUAL : Integer.parseInt(args[0]);
        RandomQuotaClusters.Seen all = new RandomQuotaClusters.Seen(0, 0, 0, 0, 0);
        int broken = 0;
        for (int seed = 1; seed <= worlds; seed++) {
            try {
                all = all.and(RandomQuotaClusters.run(seed));
            } catch (final IllegalStateException e) {
                err.println(e.getMessage());
                broken++;
            }
        }
        out.println(worlds + " worlds: " + broken + " with a broken rule; " + all.reclaims() + " reclaims of "
                + all.preemptions() + " jobs (" + all.savings() + " saved first), " + all.vetoes() + " refusals, "
                + all.heldBack()
                + " holds at the limit");
        return broken == 0 ? 0 : 1;
    }
}
