package io.millrace.simulator;

import io.millrace.simulator.GanttSvg.Paint;
import java.util.Arrays;
import java.util.List;

/** Colours runs by their kind. */
final class SegmentKindPalette implements GanttSvg.Palette {

    static final GanttSvg.Palette PALETTE = new SegmentKindPalette();

    private SegmentKindPalette() {}

    @Override
    public List<Paint> legend() {
        return Arrays.stream(Segment.Kind.values()).map(SegmentKindPalette::of).toList();
    }

    @Override
    public Paint of(final SimulatedJob job, final Segment run) {
        return of(run.kind());
    }

    private static Paint of(final Segment.Kind kind) {
        return switch (kind) {
            case RUN -> new Paint("#4c78a8", "started in order");
            case RESERVED -> new Paint("#9467bd", "had a reservation");
            case BACKFILLED -> new Paint("#59a14f", "backfilled");
            case CHECKPOINTED -> new Paint("#f28e2b", "backfilled, then checkpointed");
            case LOST -> new Paint("#e15759", "preempted, work lost");
            case RESTARTED -> new Paint("#d4b106", "resumed from a checkpoint");
        };
    }
}
