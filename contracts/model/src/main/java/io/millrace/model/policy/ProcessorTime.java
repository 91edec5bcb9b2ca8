package io.millrace.model.policy;

/**
 * What runs are charged and budgets grant.
 *
 * @param core_s core-seconds; negative where it is a difference
 * @param gpu_s GPU-seconds; negative where it is a difference
 */
public record ProcessorTime(long core_s, long gpu_s) {

    public static final ProcessorTime NONE = new ProcessorTime(0, 0);

    /** @throws ArithmeticException if a sum is beyond 2^63 seconds */
    public ProcessorTime plus(final ProcessorTime more) {
        return new ProcessorTime(Math.addExact(core_s, more.core_s), Math.addExact(gpu_s, more.gpu_s));
    }

    /** @throws ArithmeticException if a difference is beyond 2^63 seconds */
    public ProcessorTime minus(final ProcessorTime less) {
        return new ProcessorTime(Math.subtractExact(core_s, less.core_s), Math.subtractExact(gpu_s, less.gpu_s));
    }

    public boolean isNone() {
        return core_s == 0 && gpu_s == 0;
    }
}
