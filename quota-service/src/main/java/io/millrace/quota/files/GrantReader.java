package io.millrace.quota.files;

import io.millrace.quota.domain.budget.BudgetGrant;
import io.millrace.quota.domain.budget.BudgetGrant.Exhausted;
import io.millrace.quota.domain.budget.BudgetGrant.Refill;
import io.millrace.quota.domain.budget.PeriodKind;
import io.millrace.yaml.MarkedYaml;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/** Reads {@code {core-hours: 5000, gpu-hours: 100, refill: daily, carry-over: 20, exhausted: borrow}}. */
final class GrantReader {

    private static final String EXPECTED =
            "'core-hours:', 'gpu-hours:', 'refill:', 'carry-over:', 'exhausted:' and 'cancel-running:'";
    private static final long HOUR_S = 3600;
    private static final long LARGEST_H = 1_000_000_000_000L;

    private final MarkedYaml yaml;

    GrantReader(final MarkedYaml yaml) {
        this.yaml = yaml;
    }

    BudgetGrant read(final PeriodKind per, final Node node) {
        @Nullable Long core_s = null;
        @Nullable Long gpu_s = null;
        Refill refill = Refill.AT_START;
        int carryOver = 0;
        Exhausted exhausted = Exhausted.HOLD;
        boolean cancelsRunning = false;
        for (final NodeTuple entry : yaml.entries(node, EXPECTED)) {
            final Node value = entry.getValueNode();
            switch (yaml.text(entry.getKeyNode(), EXPECTED)) {
                case "core-hours" -> core_s = figure(value, "core-hours, 0 or more", HOUR_S, LARGEST_H);
                case "gpu-hours" -> gpu_s = figure(value, "gpu-hours, 0 or more", HOUR_S, LARGEST_H);
                case "refill" -> refill = yaml.word(value, Refill.values());
                case "carry-over" -> carryOver = (int) figure(value, "a percentage from 0 to 100", 1, 100);
                case "exhausted" -> exhausted = yaml.word(value, Exhausted.values());
                case "cancel-running" -> cancelsRunning = isTrue(value);
                default -> throw yaml.wrong(entry.getKeyNode(), "expected " + EXPECTED);
            }
        }
        if (core_s == null && gpu_s == null) {
            throw yaml.wrong(node, "a budget limits core-hours, gpu-hours or both");
        }
        return new BudgetGrant(per, core_s, gpu_s, refill, carryOver, exhausted, cancelsRunning);
    }

    /** A figure in so many parts of one; what is finer is dropped. */
    private long figure(final Node node, final String expected, final long parts, final long largest) {
        return decimal(node, expected, largest)
                .multiply(BigDecimal.valueOf(parts))
                .setScale(0, RoundingMode.DOWN)
                .longValueExact();
    }

    /** A figure of at most three digits behind the point, in thousandths of one: nothing of it is lost. */
    long thousandths(final Node node, final String expected, final long largest) {
        final BigDecimal thousandths =
                decimal(node, expected, largest).movePointRight(3).stripTrailingZeros();
        if (thousandths.scale() > 0) {
            throw yaml.wrong(
                    node, "'" + yaml.text(node, expected) + "' has more than three digits behind the point: round it");
        }
        return thousandths.longValueExact();
    }

    private BigDecimal decimal(final Node node, final String expected, final long largest) {
        final String text = yaml.text(node, expected);
        try {
            final BigDecimal figure = new BigDecimal(text);
            if (figure.signum() >= 0 && figure.compareTo(BigDecimal.valueOf(largest)) <= 0) {
                return figure;
            }
        } catch (final NumberFormatException e) {
            throw yaml.wrong(node, "'" + text + "' is no figure: expected " + expected);
        }
        throw yaml.wrong(node, "'" + text + "' is out of bounds: expected " + expected);
    }

    private boolean isTrue(final Node node) {
        return switch (yaml.text(node, "true or false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw yaml.wrong(node, "expected true or false");
        };
    }
}
