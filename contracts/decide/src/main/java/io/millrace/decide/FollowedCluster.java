package io.millrace.decide;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;

/** A cluster as a decider follows it: its newest revision, its commands, and whether it changed since the last decision. */
public final class FollowedCluster {

    private final ClusterView view;
    private final CommandView commands;
    private final ClusterListener onlooker;
    private boolean news;

    /** @param decider the issuer whose answers are remembered */
    public FollowedCluster(final ClusterId cluster, final Issuer decider) {
        this(cluster, decider, ClusterListener.NONE);
    }

    /**
     * @param decider the issuer whose answers are remembered
     * @param onlooker receives the changes
     */
    public FollowedCluster(final ClusterId cluster, final Issuer decider, final ClusterListener onlooker) {
        this.view = new ClusterView(cluster, onlooker);
        this.commands = new CommandView(decider);
        this.onlooker = onlooker;
    }

    public void observed(final ClusterStateEvent event) {
        if (view.apply(event)) {
            commands.included(((RevisionClosed) event).commandsIncluded());
            view.takeGone();
            news = true;
        }
    }

    /** Applies a tombstone of the cluster's state. */
    public void gone(final String key) {
        view.remove(key);
    }

    public void issued(final Command command, final long offset) {
        commands.apply(command, offset);
        news = true;
    }

    public void answered(final Outcome outcome) {
        commands.apply(outcome);
        onlooker.commandAnswered(outcome);
        news = true;
    }

    /** Marks the cluster as changed because of another input to its decisions. */
    public void markChanged() {
        news = true;
    }

    /** Whether the cluster changed since the last call; false before the first revision. */
    public boolean takeChanged() {
        final boolean taken = news && view.marker() != null;
        news = news && !taken;
        return taken;
    }

    public ClusterView view() {
        return view;
    }

    public CommandView commands() {
        return commands;
    }
}
