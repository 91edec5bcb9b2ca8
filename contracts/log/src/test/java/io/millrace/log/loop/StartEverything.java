package io.millrace.log.loop;

import io.millrace.decide.AssumedCluster;
import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A small real decider: every waiting job of its scene is started, once. */
class StartEverything implements Decider {

    private final String scene;
    private final Map<ClusterId, ClusterView> clusters = new TreeMap<>();
    private final Map<ClusterId, CommandView> commands = new TreeMap<>();

    StartEverything(final String scene) {
        this.scene = scene;
    }

    @Override
    public void apply(final LogRecord record) {
        if (!record.key().startsWith(scene)) {
            return;
        }
        if (record.topic() == Topic.CLUSTER_STATE) {
            final ClusterView view = view(ClusterId.of(record.key().split("/", 2)[0]));
            if (record.event() instanceof ClusterStateEvent event) {
                view.apply(event);
            } else {
                view.remove(record.key());
            }
        } else if (record.event() instanceof Command command) {
            commandsOf(command.cluster()).apply(command, record.offset());
        } else if (record.event() instanceof Outcome outcome) {
            commandsOf(outcome.cluster()).apply(outcome);
        }
    }

    private ClusterView view(final ClusterId cluster) {
        return clusters.computeIfAbsent(cluster, ClusterView::new);
    }

    private CommandView commandsOf(final ClusterId cluster) {
        return commands.computeIfAbsent(cluster, c -> new CommandView(Issuer.BACKFILL));
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        final List<OutgoingEvent> says = new ArrayList<>();
        for (final ClusterView view : clusters.values()) {
            if (view.marker() == null) {
                continue;
            }
            final CommandView open = commandsOf(view.cluster());
            for (final JobObserved job : AssumedCluster.of(view, open).jobs()) {
                if (job.state().isWaiting()) {
                    final Action start = new Action.Start(job.job());
                    final Command command = new Command(
                            open.nextId(start),
                            view.cluster(),
                            Issuer.BACKFILL,
                            view.marker().revision(),
                            now,
                            now.plus(Duration.ofHours(1)),
                            List.of(),
                            start,
                            "it waits");
                    open.apply(command, CommandView.NOT_YET_KNOWN);
                    says.add(OutgoingEvent.put(command));
                }
            }
        }
        return says;
    }
}
