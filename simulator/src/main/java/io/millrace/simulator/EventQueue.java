package io.millrace.simulator;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What will happen, in order of time; at one time by rank, and within a rank in the order in which it was added. */
final class EventQueue {

    enum Kind {
        SUBMISSION,
        COMPLETION,
        START
    }

    record Event(long at_s, Kind kind, int rank, long number, SimulatedJob job) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            Comparator.comparingLong(Event::at_s).thenComparingInt(Event::rank).thenComparingLong(Event::number));
    private long number;

    void add(final long at_s, final Kind kind, final int rank, final SimulatedJob job) {
        events.add(new Event(at_s, kind, rank, number++, job));
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    Event next() {
        return events.remove();
    }

    boolean hasMoreAt(final long at_s) {
        return !events.isEmpty() && events.peek().at_s() == at_s;
    }
}
