package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs command lines on the host of the workload manager if that is not the host of the agent. The forced command
 * {@code deploy/agent/millrace-remote} reads them from standard input and executes only a fixed list of programs.
 */
public final class SshRunner implements Runner {

    private final Runner here;
    private final List<String> ssh;
    private final @Nullable UserName owner;
    private final Authority authority;

    /** @param here runs ssh on this host */
    public SshRunner(final Runner here, final SshDestination destination) {
        this(here, destination.words(), null, Authority.CHECK);
    }

    private SshRunner(
            final Runner here, final List<String> ssh, final @Nullable UserName owner, final Authority authority) {
        this.here = here;
        this.ssh = ssh;
        this.owner = owner;
        this.authority = authority;
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        return here.run(new RemoteCommandLine<>(ssh, owner == null ? null : owner.value(), authority, command));
    }

    @Override
    public boolean isHere() {
        return false;
    }

    @Override
    public Runner as(final UserName user) {
        return as(user, Authority.CHECK);
    }

    @Override
    public Runner as(final UserName user, final Authority with) {
        return new SshRunner(here, ssh, user, with);
    }
}
