package io.millrace.simulator;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * A Gantt chart of the schedule: time to the right, cores upwards, one box per run, coloured by the palette. Cores of a virtual cluster have
 * no names, so each run gets the lowest free cores, adjacent ones if possible.
 */
public final class GanttSvg {

    private static final int LEFT = 64;
    private static final int TOP = 56;
    private static final int WIDTH = 1600;
    private static final int HEIGHT = 800;
    private static final int BOTTOM = 40;

    private record Run(SimulatedJob job, int number, Segment segment) {}

    private record Box(Run run, int firstCore, int cores) {}

    /** A colour and its meaning. */
    public record Paint(String colour, String meaning) {}

    /** Chooses the colour of a run. */
    public interface Palette {
        List<Paint> legend();

        Paint of(SimulatedJob job, Segment run);
    }

    private final int cores;
    private final Palette palette;
    private final List<Box> boxes = new ArrayList<>();
    private final TreeMap<Integer, Integer> free = new TreeMap<>();
    private final long from_s;
    private final long until_s;

    private GanttSvg(final List<SimulatedJob> jobs, final int cores, final Palette palette) {
        this.cores = cores;
        this.palette = palette;
        this.from_s = jobs.stream().mapToLong(SimulatedJob::submit_s).min().orElse(0);
        this.until_s = Math.max(
                from_s + 1, jobs.stream().mapToLong(SimulatedJob::end_s).max().orElse(0));
        free.put(0, cores);
    }

    /** @param all all jobs, since jobs that are not shown occupy cores too */
    public static void write(
            final List<SimulatedJob> all, final int shown, final int cores, final Palette palette, final Writer to)
            throws IOException {
        final List<SimulatedJob> jobs = all.stream()
                .sorted(Comparator.comparingLong(SimulatedJob::submit_s).thenComparingLong(SimulatedJob::id))
                .limit(shown)
                .toList();
        final GanttSvg chart = new GanttSvg(jobs, cores, palette);
        chart.place(jobs);
        chart.draw(to);
    }

    private void place(final List<SimulatedJob> jobs) {
        final List<Run> runs = new ArrayList<>();
        for (final SimulatedJob job : jobs) {
            for (int i = 0; i < job.segments().size(); i++) {
                runs.add(new Run(job, i + 1, job.segments().get(i)));
            }
        }
        runs.sort(Comparator.comparingLong((Run run) -> run.segment().start_s())
                .thenComparing(run -> run.job().cores(), Comparator.reverseOrder())
                .thenComparingLong(run -> run.job().id()));
        final PriorityQueue<Box> occupied = new PriorityQueue<>(
                Comparator.comparingLong((Box box) -> box.run().segment().end_s())
                        .thenComparingInt(Box::firstCore));
        for (final Run run : runs) {
            while (!occupied.isEmpty()
                    && occupied.peek().run().segment().end_s() <= run.segment().start_s()) {
                final Box ended = occupied.remove();
                giveBack(ended.firstCore(), ended.cores());
            }
            if (run.segment().end_s() > run.segment().start_s()) {
                for (final Box box : take(run)) {
                    boxes.add(box);
                    occupied.add(box);
                }
            }
        }
    }

    private List<Box> take(final Run run) {
        final int wanted = run.job().cores();
        for (final Map.Entry<Integer, Integer> hole : free.entrySet()) {
            if (hole.getValue() >= wanted) {
                return List.of(takeFrom(run, hole.getKey(), wanted));
            }
        }
        final List<Box> parts = new ArrayList<>();
        int open = wanted;
        while (open > 0 && !free.isEmpty()) {
            final Map.Entry<Integer, Integer> hole = free.firstEntry();
            final int part = Math.min(open, hole.getValue());
            parts.add(takeFrom(run, hole.getKey(), part));
            open -= part;
        }
        return parts;
    }

    private Box takeFrom(final Run run, final int first, final int count) {
        final int size = Objects.requireNonNull(free.remove(first), "no gap begins here");
        if (size > count) {
            free.put(first + count, size - count);
        }
        return new Box(run, first, count);
    }

    private void giveBack(final int first, final int count) {
        int from = first;
        int size = count;
        final Map.Entry<Integer, Integer> below = free.lowerEntry(first);
        if (below != null && below.getKey() + below.getValue() == first) {
            from = below.getKey();
            size += below.getValue();
            free.remove(from);
        }
        final Integer above = free.remove(first + count);
        free.put(from, size + (above == null ? 0 : above));
    }

    private void draw(final Writer to) throws IOException {
        to.write(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">%n",
                LEFT + WIDTH + 24,
                TOP + HEIGHT + BOTTOM,
                LEFT + WIDTH + 24,
                TOP + HEIGHT + BOTTOM));
        to.write("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        legend(to);
        to.write(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f4f4\"/>%n",
                LEFT,
                TOP,
                WIDTH,
                HEIGHT));
        for (final Box box : boxes) {
            draw(box, to);
        }
        axes(to);
        to.write("</svg>\n");
    }

    private void legend(final Writer to) throws IOException {
        int x = LEFT;
        for (final Paint paint : palette.legend()) {
            to.write(String.format(
                    Locale.ROOT,
                    "<rect x=\"%d\" y=\"16\" width=\"14\" height=\"14\" fill=\"%s\"/><text x=\"%d\" y=\"28\">%s</text>%n",
                    x,
                    paint.colour(),
                    x + 20,
                    paint.meaning()));
            x += 40 + 8 * paint.meaning().length();
        }
    }

    private double x(final long time_s) {
        return LEFT + (double) WIDTH * (time_s - from_s) / (until_s - from_s);
    }

    private double y(final int core) {
        return TOP + HEIGHT - (double) HEIGHT * core / cores;
    }

    private void draw(final Box box, final Writer to) throws IOException {
        final Segment segment = box.run().segment();
        final Paint paint = palette.of(box.run().job(), segment);
        final double left = x(segment.start_s());
        final double width = Math.max(0.4, x(segment.end_s()) - left);
        final double top = y(box.firstCore() + box.cores());
        final double height = y(box.firstCore()) - top;
        // No outline for boxes narrower than it.
        final String outline = width > 3 && height > 3 ? " stroke=\"#ffffff\" stroke-width=\"0.6\"" : "";
        to.write(String.format(
                Locale.ROOT,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s><title>job %d, run %d: %d cores, %d to %d s, %s</title></rect>%n",
                left,
                top,
                width,
                height,
                paint.colour(),
                outline,
                box.run().job().id(),
                box.run().number(),
                box.run().job().cores(),
                segment.start_s(),
                segment.end_s(),
                paint.meaning()));
        final String label = Long.toString(box.run().job().id());
        if (height >= 11 && width >= 7.0 * label.length() + 2) {
            to.write(String.format(
                    Locale.ROOT,
                    "<text x=\"%.2f\" y=\"%.2f\" font-size=\"10\" text-anchor=\"middle\" fill=\"#ffffff\">%s</text>%n",
                    left + width / 2,
                    top + height / 2 + 3.5,
                    label));
        }
    }

    private void axes(final Writer to) throws IOException {
        final long step = step_s();
        for (long at = 0; at <= until_s - from_s; at += step) {
            to.write(String.format(
                    Locale.ROOT,
                    "<line x1=\"%1$.2f\" y1=\"%2$d\" x2=\"%1$.2f\" y2=\"%3$d\" stroke=\"#888888\" stroke-width=\"0.5\" stroke-dasharray=\"2 4\"/>"
                            + "<text x=\"%1$.2f\" y=\"%4$d\" text-anchor=\"middle\" fill=\"#444444\">%5$s</text>%n",
                    x(from_s + at),
                    TOP,
                    TOP + HEIGHT,
                    TOP + HEIGHT + 20,
                    time(at)));
        }
        for (int i = 0; i <= 4; i++) {
            final int core = (int) ((long) cores * i / 4);
            to.write(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\" fill=\"#444444\">%d</text>%n",
                    LEFT - 8,
                    y(core) + 4,
                    core));
        }
        to.write(String.format(Locale.ROOT, "<text x=\"8\" y=\"%d\" fill=\"#444444\">cores</text>%n", TOP - 10));
    }

    private long step_s() {
        for (final long step : new long[] {60, 300, 900, 3600, 4 * 3600, 12 * 3600, 86_400, 2 * 86_400, 7 * 86_400}) {
            if ((until_s - from_s) / step <= 14) {
                return step;
            }
        }
        return Math.ceilDiv(until_s - from_s, 14L * 86_400) * 86_400;
    }

    private static String time(final long since_s) {
        if (since_s % 86_400 == 0) {
            return since_s / 86_400 + " d";
        }
        final long hours = since_s % 86_400 / 3600;
        final long minutes = since_s % 3600 / 60;
        final String clock = String.format(Locale.ROOT, "%d:%02d h", hours, minutes);
        return since_s < 86_400 ? clock : since_s / 86_400 + " d " + clock;
    }
}
