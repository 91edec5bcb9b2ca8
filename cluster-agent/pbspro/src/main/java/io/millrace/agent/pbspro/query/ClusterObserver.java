package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbspro.query.PbsQuery.Kind;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ReadJobs;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Observes the whole cluster by four queries: server, jobs, nodes and queues. */
public final class ClusterObserver implements Observing {

    private static final Pattern COUNT = Pattern.compile("(\\w+):(\\d{1,9})");

    private final PbsSite site;
    private final PbsQueries queries;
    private final Clock clock;
    private volatile String version = "";

    public ClusterObserver(final PbsSite site, final PbsQueries queries, final Clock clock) {
        this.site = site;
        this.queries = queries;
        this.clock = clock;
    }

    @Override
    public String version() {
        if (version.isEmpty()) {
            server().get();
        }
        return version;
    }

    @Override
    public Answer<Observation> observe() {
        final Instant at = clock.instant();
        return server().then(server -> SchedulingControl.control(new QueryResult(List.of(server), ""))
                .then(control -> jobs(server)
                        .then(jobs -> queries.all(Kind.NODES)
                                .then(nodes -> queries.all(Kind.QUEUES)
                                        .then(queues -> combine(at, control, server, jobs, nodes, queues))))));
    }

    /** The hosts are known without their vnodes, so an error of this query is not one of the observation. */
    private SplitHosts splitHosts(final QueryResult nodes) {
        final QueryResult none = new QueryResult(List.of(), "");
        return SplitHosts.of(
                nodes,
                SplitHosts.areMixed(nodes) && queries.all(Kind.VNODES) instanceof Answer.Ok<QueryResult> vnodes
                        ? vnodes.value()
                        : none);
    }

    private Answer<Observation> combine(
            final Instant at,
            final Control control,
            final PbsObject server,
            final List<PbsJob> jobs,
            final QueryResult nodes,
            final QueryResult queues) {
        try {
            final QueueMapper partitions = new QueueMapper(site.cluster(), queues.objects(), server, nodes.objects());
            final SplitHosts hosts = splitHosts(nodes);
            final List<NodeObserved> observed = nodes.objects().stream()
                    .map(node -> NodeMapper.of(site.cluster(), node, hosts.vnodesOf(node), partitions.shared()))
                    .toList();
            final ReadJobs read = ReadJobs.of(
                    jobs.stream().filter(JobMapper::isShown).toList(),
                    PbsJob::id,
                    job -> JobMapper.of(hosts.onHosts(job), control, at));
            return Answer.ok(
                    new Observation(at, control, read.jobs(), observed, partitions.partitions(), read.unreadable()));
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of PBS: " + e.getMessage());
        }
    }

    /** Jobs that have an entry hold set by Millrace; they are released when control changes to native. */
    public Answer<List<PbsJob>> jobsWithEntryHold() {
        return queries.all(Kind.JOBS)
                .map(listing -> JobMapper.jobs(site, listing).stream()
                        .filter(JobMapper::isShown)
                        .filter(job -> job.holds().operator()
                                && JobStates.of(job, Control.NATIVE).equals(new JobState.Held(HoldKind.ENTRY)))
                        .toList());
    }

    private Answer<PbsObject> server() {
        return queries.all(Kind.SERVER).then(listing -> {
            if (listing.objects().isEmpty()) {
                return Answer.trouble(Answer.Kind.UNREADABLE, "'qstat -B -f' printed no server");
            }
            final PbsObject server = listing.objects().get(0);
            version = "pbs " + server.get("pbs_version", "of unknown version").strip();
            return Answer.ok(server);
        });
    }

    /**
     * Reads the jobs. An empty list is accepted only if the server counts no jobs either: the answer may be incomplete, or the
     * agent may not be allowed to see jobs of others.
     */
    private Answer<List<PbsJob>> jobs(final PbsObject server) {
        return queries.all(Kind.JOBS).then(listing -> {
            if (!listing.objects().isEmpty() || countedJobs(server) == 0) {
                return Answer.ok(JobMapper.jobs(site, listing));
            }
            return server().then(now -> queries.all(Kind.JOBS)
                    .then(again -> again.objects().isEmpty() && countedJobs(now) > 0
                            ? Answer.trouble(
                                    Answer.Kind.UNREADABLE,
                                    "qstat printed no jobs, but the server counts " + countedJobs(now)
                                            + "; let the agent see jobs of other users: qmgr -c 'set server"
                                            + " query_other_jobs = True'")
                            : Answer.ok(JobMapper.jobs(site, again))));
        });
    }

    /**
     * Number of jobs in {@code state_count}. Jobs in transit or exiting are not counted, because they can disappear before the next
     * query.
     */
    private static long countedJobs(final PbsObject server) {
        long jobs = 0;
        final Matcher count = COUNT.matcher(server.get("state_count", ""));
        while (count.find()) {
            if (!count.group(1).equals("Exiting") && !count.group(1).equals("Transit")) {
                jobs += Long.parseLong(count.group(2));
            }
        }
        return jobs;
    }
}
