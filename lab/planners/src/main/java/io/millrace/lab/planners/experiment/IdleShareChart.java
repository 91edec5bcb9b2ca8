package io.millrace.lab.planners.experiment;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** A bar chart of the idle share of each policy with confidence intervals, one group per kind of jobs. */
public final class IdleShareChart {

    private static final List<String> COLOURS = List.of("#bab0ab", "#a0cbe8", "#4e79a7", "#f28e2b");
    private static final int LEFT = 60;
    private static final int TOP = 70;
    private static final int HEIGHT = 320;
    private static final int BAR = 22;
    private static final int GAP = 34;

    private final Iterable<String> jobs;
    private final List<String> shown;
    private final BiFunction<String, String, ConfidenceInterval> idle;
    private final int group_px;
    private final StringBuilder svg = new StringBuilder();
    private final double most;

    private IdleShareChart(
            final Iterable<String> jobs,
            final List<String> shown,
            final BiFunction<String, String, ConfidenceInterval> idle) {
        this.jobs = jobs;
        this.shown = shown;
        this.idle = idle;
        this.group_px = shown.size() * BAR + GAP;
        double highest = 0.1;
        for (final String kind : jobs) {
            for (final String policy : shown) {
                final ConfidenceInterval share = idle.apply(kind, policy);
                highest = Math.max(highest, share.mean() + share.half());
            }
        }
        this.most = Math.ceil(highest * 10) / 10;
    }

    /**
     * @param jobs the kinds of jobs, one group of bars each
     * @param shown the policies, at most as many as there are colours
     * @param idle the idle share by kind of jobs and policy, from 0 to 1
     */
    public static String of(
            final Iterable<String> jobs,
            final List<String> shown,
            final BiFunction<String, String, ConfidenceInterval> idle) {
        return new IdleShareChart(jobs, shown, idle).text();
    }

    private String text() {
        int groups = 0;
        for (final String kind : jobs) {
            group(kind, LEFT + GAP / 2 + groups++ * group_px);
        }
        final int width = LEFT + groups * group_px + 10;
        final StringBuilder chart = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\" height=\"%2$d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\""
                        + " fill=\"#ffffff\"/>%n<text x=\"10\" y=\"20\" font-size=\"15\">Idle share R of the cluster, with"
                        + " 95 %% confidence intervals</text>%n",
                width,
                TOP + HEIGHT + 50));
        for (int i = 0; i < shown.size(); i++) {
            chart.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"34\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\""
                            + " y=\"45\">%s</text>%n",
                    LEFT + 150 * i,
                    COLOURS.get(i),
                    LEFT + 150 * i + 18,
                    shown.get(i)));
        }
        for (int tenth = 0; tenth <= Math.round(most * 10); tenth++) {
            chart.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%3$.1f\" y2=\"%3$.1f\" stroke=\"#dddddd\"/><text x=\"%4$d\""
                            + " y=\"%5$.1f\" text-anchor=\"end\">%6$d %%</text>%n",
                    LEFT,
                    width - 10,
                    y(tenth / 10.0),
                    LEFT - 8,
                    y(tenth / 10.0) + 4,
                    tenth * 10));
        }
        return chart.append(svg).append("</svg>\n").toString();
    }

    private void group(final String kind, final int left) {
        final String[] lines = kind.split(", (?=t|load|camp)");
        for (int i = 0; i < lines.length; i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" font-size=\"11\">%s</text>%n",
                    left,
                    TOP + HEIGHT + 14 + 12 * i,
                    lines[i]));
        }
        for (int i = 0; i < shown.size(); i++) {
            final ConfidenceInterval share = idle.apply(kind, shown.get(i));
            final int x = left + i * BAR;
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"><title>%s: %.1f"
                            + " %%</title></rect>%n",
                    x,
                    y(share.mean()),
                    BAR - 3,
                    y(0) - y(share.mean()),
                    COLOURS.get(i),
                    shown.get(i),
                    100 * share.mean()));
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$.1f\" y2=\"%3$.1f\" stroke=\"#333333\"/>"
                            + "<text x=\"%1$.1f\" y=\"%4$.1f\" font-size=\"9\" text-anchor=\"middle\">%5$.0f</text>%n",
                    x + (BAR - 3) / 2.0,
                    y(share.mean() + share.half()),
                    y(share.mean() - share.half()),
                    y(share.mean() + share.half()) - 3,
                    100 * share.mean()));
        }
    }

    private double y(final double share) {
        return TOP + HEIGHT * (1 - Math.max(0, share) / most);
    }
}
