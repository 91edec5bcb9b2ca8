package io.millrace.agent.lsf.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Product and version.
 *
 * @param product {@code lsf} or {@code openlava}
 * @param number {@code 10.1.0.12}
 */
public record LsfVersion(String product, String number) {

    private static final Pattern OPENLAVA =
            Pattern.compile("(?i)(openlava|volclava|lava)(?: project)?\\s+v?(\\d[\\w.]*)");
    private static final Pattern LSF = Pattern.compile("\\bLSF\\b(?:\\D{0,40}?)(\\d+\\.[\\w.]+)");

    static LsfVersion read(final String output) {
        final Matcher lsf = LSF.matcher(output);
        final Matcher open = OPENLAVA.matcher(output);
        if (open.find()) {
            return new LsfVersion("openlava", open.group(2));
        }
        return lsf.find() ? new LsfVersion("lsf", lsf.group(1)) : new LsfVersion("lsf", "unknown");
    }

    public boolean isLsf() {
        return product.equals("lsf");
    }

    public int major() {
        final String digits = number.replaceAll("\\D.*", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    @Override
    public String toString() {
        return product + " " + number;
    }
}
