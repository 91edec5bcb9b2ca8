package io.millrace.lab.planners.experiment.migration;

import java.util.List;
import java.util.Locale;

/** A bar chart of mean waits in minutes: one group of bars for each home cluster, one bar for each policy. */
final class WaitChart {

    private static final List<String> COLOURS =
            List.of("#bab0ab", "#a0cbe8", "#4e79a7", "#f28e2b", "#e15759", "#8cd17d", "#59a14f");
    private static final int LEFT = 20;
    private static final int TOP = 110;
    private static final int HEIGHT = 240;
    private static final int BAR = 32;
    private static final int GAP = 40;

    /** The mean wait of a home cluster with a policy. */
    @FunctionalInterface
    interface Waits {
        double minutes(String policy, int home);
    }

    private WaitChart() {}

    static String of(final List<String> homes, final List<String> policies, final Waits waits) {
        double most = 1;
        for (final String policy : policies) {
            for (int h = 0; h < homes.size(); h++) {
                most = Math.max(most, waits.minutes(policy, h));
            }
        }
        final int group_px = policies.size() * BAR + GAP;
        final StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">\n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                        + "<text x=\"10\" y=\"20\" font-size=\"15\">Mean wait by home cluster, minutes</text>\n",
                Math.max(LEFT + homes.size() * group_px, 560),
                TOP + HEIGHT + 30));
        for (int p = 0; p < policies.size(); p++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\""
                            + " y=\"%d\">%s</text>\n",
                    LEFT + 260 * (p % 2),
                    32 + 16 * (p / 2),
                    COLOURS.get(p),
                    LEFT + 260 * (p % 2) + 18,
                    42 + 16 * (p / 2),
                    policies.get(p)));
        }
        for (int h = 0; h < homes.size(); h++) {
            final int left = LEFT + h * group_px;
            svg.append(String.format(
                    Locale.ROOT, "<text x=\"%d\" y=\"%d\">%s</text>\n", left, TOP + HEIGHT + 18, homes.get(h)));
            for (int p = 0; p < policies.size(); p++) {
                final double minutes = waits.minutes(policies.get(p), h);
                final double height = (HEIGHT - 20) * minutes / most;
                svg.append(String.format(
                        Locale.ROOT,
                        "<rect x=\"%1$d\" y=\"%2$.1f\" width=\"%3$d\" height=\"%4$.1f\" fill=\"%5$s\"/><text"
                                + " x=\"%6$d\" y=\"%7$.1f\" font-size=\"10\" text-anchor=\"middle\">%8$.0f</text>\n",
                        left + p * BAR,
                        TOP + HEIGHT - height,
                        BAR - 4,
                        height,
                        COLOURS.get(p),
                        left + p * BAR + (BAR - 4) / 2,
                        TOP + HEIGHT - height - 4,
                        minutes));
            }
        }
        return svg.append("</svg>\n").toString();
    }
}
