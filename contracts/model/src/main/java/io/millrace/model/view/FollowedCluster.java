package io.millrace.model.view;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;

/** A cluster as a decider follows it on the log: its newest revision, its commands, and whether anything was heard since it was last looked at. */
public final class FollowedCluster {

    private final ClusterView view;
    private final CommandView commands = new CommandView();
    private final ClusterListener onlooker;
    private boolean news;

    public FollowedCluster(final ClusterId cluster) {
        this(cluster, ClusterListener.NONE);
    }

    /** @param onlooker hears what has changed */
    public FollowedCluster(final ClusterId cluster, final ClusterListener onlooker) {
        this.view = new ClusterView(cluster, onlooker);
        this.onlooker = onlooker;
    }

    public void observed(final ClusterStateEvent event) {
        if (view.apply(event)) {
            commands.included(((RevisionClosed) event).commandsIncluded());
            view.takeGone();
            news = true;
        }
    }

    /** Takes a tombstone of the cluster's state. */
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

    /** Something else that decisions about it rest on has changed. */
    public void markChanged() {
        news = true;
    }

    /** Whether there is news since this was last asked; before the first revision there is none. */
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
