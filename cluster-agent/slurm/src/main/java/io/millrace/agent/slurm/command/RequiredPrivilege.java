package io.millrace.agent.slurm.command;

/** The AdminLevel that the agent's user requires, and how to grant it; see deploy/slurm/README.md. */
public final class RequiredPrivilege {

    /** Reason and remedy for a command that Slurm denied. */
    static final String MISSING = "the agent's user lacks AdminLevel Administrator; " + remedy("USER");

    private RequiredPrivilege() {}

    public static String remedy(final String agent) {
        return "to grant it: sacctmgr add user " + agent
                + " account=ACCOUNT adminlevel=Administrator (for an existing user: sacctmgr modify user where name="
                + agent + " set adminlevel=Administrator); without slurmdbd, run the agent as SlurmUser";
    }
}
