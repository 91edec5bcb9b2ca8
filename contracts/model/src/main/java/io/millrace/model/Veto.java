package io.millrace.model;

/**
 * Why something is not done. The same value becomes the event, the log line, the answer of {@code mgstat --why} and a metric's label.
 *
 * @param code a short, stable label, e.g. {@code no-idle-cores}
 * @param permanent true if waiting will not help (the request can never be satisfied as it stands)
 * @param reason one sentence that names the thing, the figures and, where there is one, the remedy
 */
public record Veto(String code, boolean permanent, String reason) {

    public static Veto permanent(final String code, final String because) {
        return new Veto(code, true, because);
    }

    public static Veto temporary(final String code, final String because) {
        return new Veto(code, false, because);
    }
}
