package io.millrace.model.quota;

/**
 * What runs are charged and budgets grant.
 *
 * @param coreSeconds core-seconds; negative where it is a difference
 * @param gpuSeconds GPU-seconds; negative where it is a difference
 */
public record ProcessorTime(long coreSeconds, long gpuSeconds) {

    public static final ProcessorTime NONE = new ProcessorTime(0, 0);

    /** @throws ArithmeticException if a sum is beyond 2^63 seconds */
    public ProcessorTime plus(final ProcessorTime more) {
        return new ProcessorTime(
                Math.addExact(coreSeconds, more.coreSeconds), Math.addExact(gpuSeconds, more.gpuSeconds));
    }

    /** @throws ArithmeticException if a difference is beyond 2^63 seconds */
    public ProcessorTime minus(final ProcessorTime less) {
        return new ProcessorTime(
                Math.subtractExact(coreSeconds, less.coreSeconds), Math.subtractExact(gpuSeconds, less.gpuSeconds));
    }

    public boolean isNone() {
        return coreSeconds == 0 && gpuSeconds == 0;
    }
}
