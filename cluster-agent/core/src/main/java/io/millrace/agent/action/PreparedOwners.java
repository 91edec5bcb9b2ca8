package io.millrace.agent.action;

import io.millrace.agent.exec.Authority;
import io.millrace.agent.run.StagingDirectories;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.CommandId;
import io.millrace.model.command.Action;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What submissions need to know of their owners. To find it out waits for the owner's shell and file systems. */
public final class PreparedOwners {

    private static final Logger LOG = LoggerFactory.getLogger(PreparedOwners.class);

    private final OwnerAccounts owners;
    private final StagingDirectories staging;
    private final Map<CommandId, Prepared> prepared = new ConcurrentHashMap<>();

    /**
     * What a submission needs to know of its owner.
     *
     * @param directory whether the owner can write to the job's directory
     * @param umask of the owner's login; null if it is unknown
     */
    record Prepared(Answer<Accepted> directory, @Nullable String umask) {}

    public PreparedOwners(final OwnerAccounts owners, final StagingDirectories staging) {
        this.owners = owners;
        this.staging = staging;
    }

    /** Checks the directories of some submissions of one owner with one program; {@link #prepare} uses the answers. */
    public void checkDirectories(final List<Action.Submit> ofOneOwner) {
        staging.checkTogether(
                ofOneOwner.getFirst().owner(),
                ofOneOwner.stream().map(Action.Submit::directory).collect(Collectors.toSet()));
    }

    /** Finds out what {@link SubmitAction} needs to know of the owner. */
    public void prepare(final CommandId command, final Action.Submit submit) {
        prepared.put(command, find(command, submit));
    }

    private Prepared find(final CommandId command, final Action.Submit submit) {
        try {
            return new Prepared(
                    staging.prepare(submit.owner(), submit.directory(), authority(submit)),
                    owners.loginUmask(submit.owner()));
        } catch (final RuntimeException e) {
            LOG.error("the directory of command {} could not be prepared", command, e);
            return new Prepared(
                    Answer.trouble(Answer.Kind.REJECTED, "internal error in the agent: " + e.getMessage()), null);
        }
    }

    Prepared of(final CommandId command) {
        return Objects.requireNonNull(prepared.get(command), "it was prepared");
    }

    void forget(final CommandId command) {
        prepared.remove(command);
    }

    static Authority authority(final Action.Submit submit) {
        return Authority.of(Authority.Kind.SUBMIT, submit.signature(), submit.attempt());
    }
}
