package io.millrace.migration.domain.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.job.GlobalJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs that may be placed, grouped by their requests. Every cluster gives the jobs of a group the same answer, so a round of
 * placements costs the number of groups, not the number of jobs.
 */
public final class WaitingJobs {

    /**
     * What the jobs of a group have in common.
     *
     * @param alone the job, if it is judged for itself: after a failed attempt, or with offers to place it by preemption
     */
    private record Request(
            UserName owner,
            int priority,
            RequestShape shape,
            @Nullable GlobalJobId alone) {

        static Request of(final GlobalJob job, final @Nullable String jobClass, final boolean alone) {
            return new Request(
                    job.submission().owner(),
                    job.priority() == null ? 0 : job.priority(),
                    RequestShape.of(job.submission(), jobClass),
                    alone || !job.attempts().isEmpty() ? job.id() : null);
        }
    }

    private record Member(GlobalJob job, Request request) {}

    private final Map<GlobalJobId, Member> members = new HashMap<>();
    private final Map<Request, WaitingGroup> groups = new LinkedHashMap<>();
    private final Map<UserName, Set<WaitingGroup>> byOwner = new HashMap<>();
    /** The groups that gained or lost jobs, or changed their place, since the last {@link #takeChanged}. */
    private final Set<WaitingGroup> changed = new LinkedHashSet<>();

    private final Set<GlobalJobId> alone = new HashSet<>();
    /** The best class of each global job; empty if it is unclassified. */
    private final Map<GlobalJobId, String> classes = new HashMap<>();

    /** Owners who have given priorities, with the number of these waiting jobs. */
    private final Map<UserName, Integer> prioritising = new HashMap<>();
    /** For each of them: the place of each waiting job among all. */
    private final Map<UserName, Map<GlobalJobId, GlobalJobId>> places = new HashMap<>();

    /** @param ready whether it may be placed */
    void put(final GlobalJob job, final boolean ready) {
        final Request request = ready ? Request.of(job, classes.get(job.id()), alone.contains(job.id())) : null;
        final Member before = members.get(job.id());
        if (before != null && request != null && before.request.equals(request)) {
            members.put(job.id(), new Member(job, request));
            return;
        }
        if (before != null) {
            leave(before);
        }
        if (request != null) {
            members.put(job.id(), new Member(job, request));
            final WaitingGroup group = groups.computeIfAbsent(request, this::open);
            group.add(job.id());
            changed.add(group);
            count(request, 1);
        }
    }

    private WaitingGroup open(final Request request) {
        final WaitingGroup group = new WaitingGroup(request.owner(), request.shape());
        byOwner.computeIfAbsent(request.owner(), owner -> new LinkedHashSet<>()).add(group);
        return group;
    }

    private void leave(final Member member) {
        final GlobalJobId id = member.job.id();
        final Request request = member.request;
        final WaitingGroup group = groupOf(member);
        members.remove(id);
        group.remove(id);
        changed.add(group);
        if (group.isEmpty()) {
            groups.remove(request);
            byOwner.computeIfPresent(request.owner(), (owner, all) -> all.remove(group) && all.isEmpty() ? null : all);
        }
        count(request, -1);
    }

    private WaitingGroup groupOf(final Member member) {
        return Objects.requireNonNull(groups.get(member.request), "a waiting job has a group");
    }

    private void count(final Request request, final int sign) {
        final UserName owner = request.owner();
        if (request.priority() != 0) {
            prioritising.merge(owner, sign, (one, other) -> one + other == 0 ? null : one + other);
        }
        if (places.remove(owner) != null || prioritising.containsKey(owner)) {
            changed.addAll(byOwner.getOrDefault(owner, Set.of()));
        }
    }

    /** Judges a job for itself, because there are offers for it; or again as one of its group. */
    public void setAlone(final GlobalJobId job, final boolean value) {
        final boolean news = value ? alone.add(job) : alone.remove(job);
        final Member member = members.get(job);
        if (news && member != null) {
            put(member.job, true);
        }
    }

    /** @param jobClass the best class; empty: unclassified; null: the job has left */
    public void setClass(final GlobalJobId job, final @Nullable String jobClass) {
        final String before = jobClass == null ? classes.remove(job) : classes.put(job, jobClass);
        final Member member = members.get(job);
        if (member != null && !Objects.equals(before, jobClass)) {
            put(member.job, true);
        }
    }

    /** The best class of a job; an empty text if it is unclassified. Empty if that is not known yet. */
    public Optional<String> classOf(final GlobalJobId job) {
        return Optional.ofNullable(classes.get(job));
    }

    /** The groups that gained or lost jobs, or changed their place, since the last call; they may be empty by now. */
    public Set<WaitingGroup> takeChanged() {
        final Set<WaitingGroup> taken = Set.copyOf(changed);
        changed.clear();
        return taken;
    }

    public boolean isEmpty() {
        return groups.isEmpty();
    }

    public Collection<WaitingGroup> groups() {
        return Collections.unmodifiableCollection(groups.values());
    }

    private Member member(final GlobalJobId id) {
        return Objects.requireNonNull(members.get(id), () -> id + " is not among the waiting jobs");
    }

    /** A waiting job. */
    public GlobalJob job(final GlobalJobId id) {
        return member(id).job;
    }

    /**
     * The position of a job among all: its own id, because ids sort by time of submission. An owner's priorities permute the places of
     * that owner's jobs.
     */
    public GlobalJobId place(final GlobalJobId job) {
        final UserName owner = member(job).request.owner();
        return prioritising.containsKey(owner)
                ? places.computeIfAbsent(owner, this::placesOf).getOrDefault(job, job)
                : job;
    }

    private Map<GlobalJobId, GlobalJobId> placesOf(final UserName owner) {
        final List<Member> jobs = byOwner.getOrDefault(owner, Set.of()).stream()
                .flatMap(group -> group.jobs().stream())
                .sorted()
                .map(this::member)
                .toList();
        final List<Member> ordered = new ArrayList<>(jobs);
        ordered.sort(Comparator.comparingInt((Member member) -> member.request.priority())
                .reversed());
        final Map<GlobalJobId, GlobalJobId> permuted = HashMap.newHashMap(jobs.size());
        for (int i = 0; i < jobs.size(); i++) {
            permuted.put(ordered.get(i).job.id(), jobs.get(i).job.id());
        }
        return permuted;
    }
}
