package io.millrace.simulator.experiment;

import java.util.List;
import java.util.Locale;

/** A bar chart of the idle share of each policy with confidence intervals, one group per kind of jobs. */
final class IdleShareChart {

    private static final List<String> SHOWN =
            List.of(UpqppSetting.HARD, UpqppSetting.PAPER, UpqppSetting.DEFAULT, UpqppSetting.FREE);
    private static final List<String> COLOURS = List.of("#bab0ab", "#a0cbe8", "#4e79a7", "#f28e2b");
    private static final int LEFT = 60;
    private static final int TOP = 70;
    private static final int HEIGHT = 320;
    private static final int BAR = 22;
    private static final int GAP = 34;
    private static final int GROUP = SHOWN.size() * BAR + GAP;

    private final UpqppResults results;
    private final StringBuilder svg = new StringBuilder();
    private final double most;

    private IdleShareChart(final UpqppResults results) {
        this.results = results;
        double highest = 0.1;
        for (final String jobs : results.jobs()) {
            for (final String policy : SHOWN) {
                final ConfidenceInterval idle = results.mean(jobs, policy, QuotaMetrics::idle);
                highest = Math.max(highest, idle.mean() + idle.half());
            }
        }
        this.most = Math.ceil(highest * 10) / 10;
    }

    static String of(final UpqppResults results) {
        return new IdleShareChart(results).text();
    }

    private String text() {
        int groups = 0;
        for (final String jobs : results.jobs()) {
            group(jobs, LEFT + GAP / 2 + groups++ * GROUP);
        }
        final int width = LEFT + groups * GROUP + 10;
        final StringBuilder chart = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n"
                        + "<text x=\"10\" y=\"20\" font-size=\"15\">Idle share R of the cluster, with 95 %% confidence intervals</text>%n",
                width,
                TOP + HEIGHT + 50));
        for (int i = 0; i < SHOWN.size(); i++) {
            chart.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"34\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"45\">%s</text>%n",
                    LEFT + 150 * i,
                    COLOURS.get(i),
                    LEFT + 150 * i + 18,
                    SHOWN.get(i)));
        }
        for (int tenth = 0; tenth <= Math.round(most * 10); tenth++) {
            chart.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%3$.1f\" y2=\"%3$.1f\" stroke=\"#dddddd\"/><text x=\"%4$d\" y=\"%5$.1f\" text-anchor=\"end\">%6$d %%</text>%n",
                    LEFT,
                    width - 10,
                    y(tenth / 10.0),
                    LEFT - 8,
                    y(tenth / 10.0) + 4,
                    tenth * 10));
        }
        return chart.append(svg).append("</svg>\n").toString();
    }

    private void group(final String jobs, final int left) {
        final String[] lines = jobs.split(", (?=t|load|camp)");
        for (int i = 0; i < lines.length; i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" font-size=\"11\">%s</text>%n",
                    left,
                    TOP + HEIGHT + 14 + 12 * i,
                    lines[i]));
        }
        for (int i = 0; i < SHOWN.size(); i++) {
            final ConfidenceInterval idle = results.mean(jobs, SHOWN.get(i), QuotaMetrics::idle);
            final int x = left + i * BAR;
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"><title>%s: %.1f %%</title></rect>%n",
                    x,
                    y(idle.mean()),
                    BAR - 3,
                    y(0) - y(idle.mean()),
                    COLOURS.get(i),
                    SHOWN.get(i),
                    100 * idle.mean()));
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$.1f\" y2=\"%3$.1f\" stroke=\"#333333\"/>"
                            + "<text x=\"%1$.1f\" y=\"%4$.1f\" font-size=\"9\" text-anchor=\"middle\">%5$.0f</text>%n",
                    x + (BAR - 3) / 2.0,
                    y(idle.mean() + idle.half()),
                    y(idle.mean() - idle.half()),
                    y(idle.mean() + idle.half()) - 3,
                    100 * idle.mean()));
        }
    }

    private double y(final double share) {
        return TOP + HEIGHT * (1 - Math.max(0, share) / most);
    }
}
