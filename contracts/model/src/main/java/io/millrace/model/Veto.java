package io.millrace.model;

/**
 * Why something is not done. The same value becomes the event, the log line, the answer of {@code mgstat --why} and a metric's label.
 * {@link VetoCode#veto} makes one.
 *
 * @param code a stable label of the catalogue {@link VetoCode}; text, because a newer release may have more codes
 * @param permanent true if waiting does not help (the request can never be satisfied as it is)
 * @param reason one sentence that names the thing, the figures and, where there is one, the remedy
 */
public record Veto(String code, boolean permanent, String reason) {}
