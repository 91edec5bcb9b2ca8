package io.millrace.agent.torque.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The features of the installed version. Detected once, and again after {@link #forget}. */
public final class InstalledFeatures implements Supplier<Answer<TorqueFeatures>> {

    private final TorqueSite site;
    private final Runner runner;
    private volatile @Nullable TorqueFeatures known;

    public InstalledFeatures(final TorqueSite site, final Runner runner) {
        this.site = site;
        this.runner = runner;
    }

    @Override
    public Answer<TorqueFeatures> get() {
        final TorqueFeatures last = known;
        return last != null
                ? Answer.ok(last)
                : TorqueFeatures.of(site, runner).map(found -> {
                    known = found;
                    return found;
                });
    }

    /** Another version may have been installed. */
    public void forget() {
        known = null;
    }
}
