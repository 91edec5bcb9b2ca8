package io.millrace.lab.planners.experiment.backfill;

import io.millrace.simulator.Summary;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** A bar chart of the reduction of a metric compared with EASY, for each log and some policies. */
final class ReductionChart {

    private static final List<String> SHOWN = List.of(
            "conservative",
            ComparedPolicies.PUBLISHED,
            "+ shortest recent first, cost 60",
            "+ at most 5 % preempted, cost 60",
            ComparedPolicies.BETTER + "60",
            ComparedPolicies.BETTER + "300");
    private static final List<String> COLOURS =
            List.of("#bab0ab", "#a0cbe8", "#4e79a7", "#76b7b2", "#f28e2b", "#b6610a");
    private static final int BAR = 22;
    private static final int GAP = 40;
    private static final int TOP = 190;
    private static final double SCALE = 4;

    private ReductionChart() {}

    static String changes(
            final String figure, final Map<String, Map<String, Summary>> results, final ToDoubleFunction<Summary> of) {
        final int group = SHOWN.size() * BAR + GAP;
        final int width = Math.max(560, 70 + results.size() * group);
        final int height = TOP + (int) (80 * SCALE) + 20;
        final StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\""
                        + " fill=\"#ffffff\"/>%n<text x=\"10\" y=\"20\" font-size=\"15\">Change of the %3$s compared with"
                        + " EASY</text>%n",
                width,
                height,
                figure));
        for (int i = 0; i < SHOWN.size(); i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"10\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"28\""
                            + " y=\"%d\">%s</text>%n",
                    32 + 18 * i,
                    COLOURS.get(i),
                    43 + 18 * i,
                    SHOWN.get(i)));
        }
        for (int percent = 0; percent <= 80; percent += 10) {
            final double y = TOP + percent * SCALE;
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"50\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/><text x=\"44\" y=\"%.1f\""
                            + " text-anchor=\"end\">%s</text>%n",
                    width - 10,
                    y,
                    y,
                    percent == 30 ? "#d62728" : "#dddddd",
                    y + 4,
                    percent == 0 ? "0" : "-" + percent + " %"));
        }
        int x = 60;
        for (final Map.Entry<String, Map<String, Summary>> trace : results.entrySet()) {
            bars(svg, x, trace.getKey(), trace.getValue(), of);
            x += group;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void bars(
            final StringBuilder svg,
            final int left,
            final String trace,
            final Map<String, Summary> byPolicy,
            final ToDoubleFunction<Summary> of) {
        final double easy = of.applyAsDouble(Objects.requireNonNull(byPolicy.get(ComparedPolicies.EASY)));
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>%n", left, TOP - 32, trace));
        for (int i = 0; i < SHOWN.size(); i++) {
            final double change =
                    CheckpointPage.change(of.applyAsDouble(Objects.requireNonNull(byPolicy.get(SHOWN.get(i)))), easy);
            final double length = Math.min(28 / SCALE, Math.abs(change)) * SCALE;
            final double size = change > 0 ? length : -change * SCALE;
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"><title>%s: %+.1f"
                            + " %%</title></rect>%n",
                    left + i * BAR,
                    change > 0 ? TOP - size : TOP,
                    BAR - 3,
                    size,
                    COLOURS.get(i),
                    SHOWN.get(i),
                    change));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%.1f\" font-size=\"9\" text-anchor=\"middle\">%+.0f</text>%n",
                    left + i * BAR + (BAR - 3) / 2,
                    change > 0 ? TOP + 10.0 : TOP + size + 10,
                    change));
        }
    }
}
