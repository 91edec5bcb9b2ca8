package io.millrace.migration.domain.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Waiting jobs of one owner that request the same, oldest first. */
public final class WaitingGroup {

    private final UserName owner;
    private final RequestShape shape;
    private final TreeSet<GlobalJobId> jobs = new TreeSet<>();
    private final TreeSet<GlobalJobId> newcomers = new TreeSet<>();

    WaitingGroup(final UserName owner, final RequestShape shape) {
        this.owner = owner;
        this.shape = shape;
    }

    void add(final GlobalJobId job) {
        jobs.add(job);
        newcomers.add(job);
    }

    void remove(final GlobalJobId job) {
        jobs.remove(job);
        newcomers.remove(job);
    }

    public UserName owner() {
        return owner;
    }

    public RequestShape shape() {
        return shape;
    }

    public boolean isEmpty() {
        return jobs.isEmpty();
    }

    public NavigableSet<GlobalJobId> jobs() {
        return Collections.unmodifiableNavigableSet(jobs);
    }

    public GlobalJobId first() {
        return jobs.first();
    }

    /** The jobs that joined since the last call. */
    public List<GlobalJobId> takeNewcomers() {
        final List<GlobalJobId> taken = List.copyOf(newcomers);
        newcomers.clear();
        return taken;
    }
}
