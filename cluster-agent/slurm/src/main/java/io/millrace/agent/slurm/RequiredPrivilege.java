package io.millrace.agent.slurm;

/** What the agent must be allowed, and how to allow it; see deploy/slurm/README.md. */
final class RequiredPrivilege {

    /** For a refusal. */
    static final String MISSING = "the agent's user is no administrator of this Slurm; " + remedy("USER");

    private RequiredPrivilege() {}

    static String remedy(final String agent) {
        return "make it one: sacctmgr add user " + agent
                + " account=ACCOUNT adminlevel=Administrator (modify user where name=" + agent
                + " set adminlevel=Administrator, if slurmdbd knows it); without slurmdbd run the agent as SlurmUser";
    }
}
