package io.millrace.agent.wlm;

import io.millrace.model.UserName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs command lines on the host of a workload manager that the agent does not stand beside. Over there the forced command of {@code
 * deploy/agent/millrace-remote} takes them from standard input and executes a fixed list of programs, nothing else.
 */
public final class SshRunner implements Runner {

    private static final Pattern HOST =
            Pattern.compile("([\\p{Alnum}_][\\p{Alnum}_.-]*@)?[\\p{Alnum}_][\\p{Alnum}_.-]*");

    private final Runner here;
    private final List<String> ssh;
    private final @Nullable UserName owner;

    /**
     * @param here runs ssh itself
     * @param host {@code host} or {@code account@host}
     * @param options of ssh, e.g. the key to use
     */
    public SshRunner(final Runner here, final String host, final List<String> options) {
        this(here, words(host, options), null);
    }

    /** @param ssh words that bring standard input to the other side's {@code millrace-remote} */
    SshRunner(final Runner here, final List<String> ssh) {
        this(here, ssh, null);
    }

    private SshRunner(final Runner here, final List<String> ssh, final @Nullable UserName owner) {
        this.here = here;
        this.ssh = ssh;
        this.owner = owner;
    }

    private static List<String> words(final String host, final List<String> options) {
        if (!HOST.matcher(host).matches()) {
            throw new IllegalArgumentException("'" + host + "' is not the name of a host (expected " + HOST + ")");
        }
        final List<String> words =
                new ArrayList<>(List.of("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=8"));
        words.addAll(options);
        words.addAll(List.of("--", host));
        return List.copyOf(words);
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        return here.run(new OverSsh<>(ssh, owner == null ? null : owner.value(), command));
    }

    @Override
    public Runner as(final UserName user) {
        return new SshRunner(here, ssh, user);
    }
}
