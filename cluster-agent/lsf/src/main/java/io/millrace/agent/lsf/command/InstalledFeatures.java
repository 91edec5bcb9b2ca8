package io.millrace.agent.lsf.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The features of the installed version. Detected once, when LSF first responds, and again after {@link #forget}. */
public final class InstalledFeatures implements Supplier<Answer<LsfFeatures>> {

    private final LsfSite site;
    private final Runner runner;
    private @Nullable LsfFeatures known;

    public InstalledFeatures(final LsfSite site, final Runner runner) {
        this.site = site;
        this.runner = runner;
    }

    @Override
    public synchronized Answer<LsfFeatures> get() {
        final LsfFeatures last = known;
        return last != null
                ? Answer.ok(last)
                : LsfFeatures.of(site, runner).map(found -> {
                    known = found;
                    return found;
                });
    }

    /** LSF is back: it may have been upgraded. */
    public synchronized void forget() {
        known = null;
    }
}
