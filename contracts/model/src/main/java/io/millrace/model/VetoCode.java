package io.millrace.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The catalogue of veto codes, a public contract: events, logs, metrics and {@code mgstat --why} carry them, and
 * {@code docs/guide/codes.md} is generated from this table.
 */
public enum VetoCode {
    EXCEEDS_CLUSTER(
            Severity.PERMANENT,
            "The job requests more cores, nodes, memory or GPUs than the cluster has.",
            "Request less, or submit to a larger cluster."),
    EXCEEDS_LICENCES(
            Severity.PERMANENT, "The job requests more licence tokens than the cluster has.", "Request fewer tokens."),
    FEATURES_MISSING(
            Severity.PERMANENT,
            "The cluster has too few nodes with the features that the job names.",
            "Name features that findavl --json lists for a cluster, or remove the option from the script."),
    SOFTWARE_MISSING(
            Severity.PERMANENT,
            "The cluster does not have the software that the job names.",
            "Name software that findavl --json lists, or ask an operator to add it to the site mapping of the"
                    + " cluster."),
    DISK_FULL(
            Severity.TEMPORARY,
            "The cluster has, or a short time ago had, too little free space for the files and results of the job.",
            "Wait, request less with --disk, or ask an operator to free space in the staging directory of the"
                    + " cluster."),
    DISK_QUOTA_EXCEEDED(
            Severity.TEMPORARY,
            "The files of the job exceed, or a short time ago exceeded, the disk quota of its owner on the cluster.",
            "Remove files of yours on the cluster, or ask its administrator for a larger quota."),
    MAINTENANCE(
            Severity.TEMPORARY,
            "The job would run into a maintenance window of the cluster.",
            "Wait until the window has ended, or request a walltime that ends before it begins."),
    EXCEEDS_PARTITION(
            Severity.PERMANENT,
            "The job requests more, or fewer, nodes or cores than its partition allows for one job.",
            "Change the request, or choose another partition."),
    EXCEEDS_WALLTIME_LIMIT(
            Severity.PERMANENT,
            "The requested walltime is longer than the limit of the partition.",
            "Request a shorter walltime, or choose another partition."),
    ACCESS_DENIED(
            Severity.PERMANENT,
            "The owner, the project or the quality of service may not use the partition.",
            "Choose another partition, or ask an administrator for access."),
    PARTITION_UNKNOWN(
            Severity.PERMANENT,
            "The cluster has no partition of the requested name.",
            "Choose one of the partitions that findavl lists."),
    PARTITION_CLOSED(
            Severity.TEMPORARY,
            "The partition starts no jobs.",
            "Wait until an operator opens it, or choose another partition."),
    PARTITION_FULL(Severity.TEMPORARY, "Too few cores are idle in the partition of the job.", "Wait."),
    OTHER_PARTITIONS_FULL(
            Severity.TEMPORARY,
            "The priority of the job opens other partitions, which have too few idle cores as well.",
            "Wait."),
    NODE_UNKNOWN(
            Severity.TEMPORARY,
            "A node that the job names does not exist or is not up.",
            "Wait until the node is up, or name another one."),
    NO_SUITABLE_NODES(
            Severity.TEMPORARY,
            "Enough cores are idle, but not on nodes with the requested layout, memory, GPUs or features.",
            "Wait, or request a less specific layout."),
    NO_IDLE_CORES(Severity.TEMPORARY, "Too few cores are idle.", "Wait."),
    PREFERS_OTHER_CLUSTER(
            Severity.TEMPORARY,
            "The cluster could start the job now, but the target rule of the site prefers another one.",
            "Wait, or request the cluster with --cluster."),
    HOME_JOBS_FIRST(
            Severity.TEMPORARY,
            "Enough is idle, but the job comes from another cluster and would delay jobs that wait in the queue of"
                    + " this one.",
            "Wait, or submit the job on that cluster."),
    NOT_CLASSIFIED(
            Severity.TEMPORARY,
            "The job has not been classified yet, and the site restricts the clusters of some classes.",
            "Wait; after a few seconds the job is placed without a class. Check classifier-service if this happens to"
                    + " every job."),
    CLUSTER_UNSUITABLE_FOR_CLASS(
            Severity.TEMPORARY,
            "The site does not move jobs of this class to the cluster.",
            "Wait for another cluster, or request the cluster with --cluster."),
    RUN_TIME_OUTSIDE_CLASS(
            Severity.TEMPORARY,
            "On the cluster, the job would run longer or shorter than jobs of its class, or longer than a job of this"
                    + " class may run elsewhere.",
            "Wait for another cluster, change the walltime, or request the cluster with --cluster."),
    BEHIND_OLDER_JOBS(
            Severity.TEMPORARY,
            "Older global jobs of the same owner that request the same wait as well.",
            "Wait; the plan of the oldest one names the obstacle on each cluster."),
    NOT_ENOUGH_CORES_UP(
            Severity.TEMPORARY,
            "The job requests more cores than the nodes that are up have now.",
            "Wait until nodes return."),
    LICENCES_IN_USE(Severity.TEMPORARY, "Too few licence tokens are free.", "Wait."),
    WOULD_DELAY_RESERVATION(
            Severity.TEMPORARY,
            "The job would run into the reservation of a job ahead of it.",
            "Wait, or request a shorter walltime."),
    DISPLACED(
            Severity.TEMPORARY,
            "Guaranteed work took the cores that were reserved for the job.",
            "Wait; the job has a new reservation."),
    HELD_BY_USER(
            Severity.TEMPORARY,
            "The owner holds the job.",
            "Release the job with mgrelease, or with the command of the workload manager if it was held there."),
    HELD_BY_OPERATOR(Severity.TEMPORARY, "An operator or the workload manager holds the job.", "Ask an operator."),
    SUBMISSION_IN_PROGRESS(
            Severity.TEMPORARY, "The job is being submitted to the workload manager and is not released yet.", "Wait."),
    DEPENDENCY(Severity.TEMPORARY, "The job waits for other jobs.", "Wait until the jobs it depends on have ended."),
    DEPENDENCY_NEVER_SATISFIED(
            Severity.PERMANENT,
            "A job that this one depends on ended otherwise than requested, so the job can never start.",
            "Submit the job again with another dependency."),
    BEGIN_TIME(
            Severity.TEMPORARY,
            "The owner requested that the job does not begin before a later time.",
            "Wait, or change the begin time with the command of the workload manager."),
    ARRAY_LIMIT(
            Severity.TEMPORARY,
            "As many tasks of the job array run as its owner allows at once.",
            "Wait, or raise the limit with the command of the workload manager."),
    USER_LIMIT(
            Severity.TEMPORARY,
            "The owner has as many global jobs on clusters as the site allows for one user.",
            "Wait until one of these jobs has ended."),
    CLUSTER_LIMIT(
            Severity.TEMPORARY,
            "The cluster has as many global jobs as the site allows for one cluster.",
            "Wait until one of these jobs has ended, or request another cluster."),
    LINK_LIMIT(
            Severity.TEMPORARY,
            "As many jobs of the source cluster are on the target cluster as the site allows for one link.",
            "Wait until one of these jobs has ended, or request another cluster."),
    ADVANCE_RESERVATION(
            Severity.TEMPORARY,
            "The job belongs to an advance reservation of the workload manager, which starts it.",
            "Wait until the reservation begins."),
    ELIGIBILITY_UNKNOWN(
            Severity.TEMPORARY,
            "The workload manager does not report whether the job can start.",
            "Ask an operator to check the agent of the cluster."),
    NO_ENTITLEMENT(
            Severity.TEMPORARY,
            "quota-service has not decided the entitlement of the job yet.",
            "Wait; if it lasts longer than a minute, check quota-service."),
    HELD_BY_QUOTA(
            Severity.TEMPORARY,
            "A limit or an exhausted budget of the owner or the project holds the job.",
            "Wait until other jobs end or the budget is renewed."),
    USER_LOCKED(
            Severity.TEMPORARY,
            "An operator has locked the owner of the job, so the job does not start.",
            "Ask an operator; the reason of the lock is in the message."),
    START_BACKOFF(
            Severity.TEMPORARY,
            "The last start of the job failed; the next try follows after a pause.",
            "Wait; the reason of the failure is in the message."),
    START_UNSUPPORTED(
            Severity.PERMANENT,
            "The agent of the cluster cannot start jobs.",
            "Operate the cluster under native control, or give the agent the rights to start jobs."),
    CLUSTER_STALE(
            Severity.TEMPORARY,
            "The workload manager of the cluster does not answer its agent.",
            "Check the workload manager."),
    AGENT_SILENT(
            Severity.TEMPORARY,
            "The agent of the cluster has not published a revision for too long.",
            "Check the agent of the cluster and its connection to Kafka."),
    CLUSTER_DRAINED(
            Severity.TEMPORARY,
            "An operator drained the cluster: no jobs are placed there.",
            "Wait until an operator undrains the cluster, or choose another one."),
    CLUSTER_FENCED(
            Severity.TEMPORARY,
            "An operator fenced the cluster: it counts as lost, and its jobs are placed on other clusters.",
            "Wait until the cluster has returned, or choose another one."),
    CLUSTER_NOT_OBSERVED(
            Severity.TEMPORARY,
            "No revision of the cluster has been read yet.",
            "Check that the agent of the cluster runs."),
    NO_ACCOUNT(Severity.PERMANENT, "The owner has no account on the cluster.", "Ask an administrator for an account."),
    ISSUER_NOT_ACCEPTED(
            Severity.PERMANENT,
            "The cluster does not accept jobs whose owner logged in on the cluster that is named.",
            "Log in on the cluster itself with mglogin and submit there, or ask an operator to add the issuer to"
                    + " millrace.agent.accepted-issuers of the cluster."),
    OPTION_UNSUPPORTED(
            Severity.PERMANENT,
            "The workload manager of the cluster has no equivalent for an option of the script that the job requires.",
            "Remove the option, or submit to another cluster."),
    ATTEMPT_FAILED(
            Severity.PERMANENT,
            "An earlier attempt of the job failed on the cluster.",
            "Choose another cluster, or remove the cause named in the message and submit again."),
    NO_INCOMING_JOBS(
            Severity.PERMANENT,
            "The agent of the cluster has no staging directory and takes no jobs from other clusters.",
            "Configure a staging directory for the agent."),
    SOURCE_NOT_OBSERVED(
            Severity.TEMPORARY,
            "The cluster that holds the directory of the job has not been observed.",
            "Check the agent of that cluster."),
    SOURCE_UNREACHABLE(
            Severity.PERMANENT,
            "The agent of the cluster that holds the directory of the job cannot transfer files.",
            "Enable transfers on that cluster, or submit on another one."),
    TRANSFER_HELD(
            Severity.PERMANENT,
            "The transfer of the job's files failed several times and waits.",
            "Remove the cause that the reason names, then release the job with mgrelease. mgstop gives up the"
                    + " transfer."),
    TRANSFER_QUEUED(
            Severity.TEMPORARY,
            "The transfer waits for a free slot between its two clusters, or for its next try.",
            "Wait."),
    COMMAND_FAILED(
            Severity.TEMPORARY,
            "The last command for the job was refused or failed.",
            "Wait for the next try; the reason of the failure is in the message."),
    COMMAND_UNCLEAR(
            Severity.TEMPORARY,
            "It is unknown whether the last command for the job took effect.",
            "Look at the job on the cluster, or fence the cluster."),
    PREEMPTION_INSUFFICIENT(
            Severity.TEMPORARY,
            "Preempting all borrowed work that may be preempted would not free enough cores.",
            "Wait."),
    PREEMPTION_DELAYED(Severity.TEMPORARY, "The configured delay before preemption has not passed yet.", "Wait."),
    PREEMPTION_LIMIT_REACHED(
            Severity.TEMPORARY,
            "The configured number of preemptions per hour is reached.",
            "Wait, or raise the limit."),
    ENFORCED_BY_WORKLOAD_MANAGER(
            Severity.PERMANENT,
            "The workload manager of the cluster enforces quotas itself.",
            "None needed; the workload manager preempts."),
    PREEMPTION_UNSUPPORTED(
            Severity.PERMANENT,
            "The agent of the cluster does not support preemption.",
            "Give the agent the rights to requeue jobs."),
    PREEMPTION_BACKOFF(
            Severity.TEMPORARY,
            "The last preemption for the job failed; the next try follows after a pause.",
            "Wait; the reason of the failure is in the message."),
    SIGNATURE_UNREADABLE(
            Severity.PERMANENT, "The signature of the submission cannot be read.", "Submit the job again."),
    SIGNATURE_KIND(
            Severity.PERMANENT,
            "The signature was made for something else: a submission, a dry run, or reading a file.",
            "Submit the job again."),
    SIGNATURE_KEY_UNKNOWN(
            Severity.PERMANENT,
            "The agent does not have the public key that signed the submission.",
            "Copy submission-keys.pub.json of submit-service to the agent."),
    SIGNATURE_KEYS_UNREADABLE(
            Severity.TEMPORARY,
            "The agent cannot read its file of public keys.",
            "Copy submission-keys.pub.json of submit-service to the agent."),
    SIGNATURE_INVALID(
            Severity.PERMANENT,
            "The signature does not match the submission.",
            "Submit the job through submit-service."),
    SIGNATURE_OWNER(Severity.PERMANENT, "The submission is signed for another user.", "Submit the job as its owner."),
    SIGNATURE_JOB(Severity.PERMANENT, "The signature belongs to another job.", "Submit the job again."),
    SIGNATURE_SCRIPT(
            Severity.PERMANENT,
            "The script, its arguments, its variables or the make step differ from what was signed.",
            "Submit the job again."),
    SIGNATURE_DIRECTORY(
            Severity.PERMANENT,
            "The command names another directory than the signed one, or than the staging directory of the attempt.",
            "Submit the job again."),
    SIGNATURE_COPY(
            Severity.PERMANENT,
            "The source or the filter rules of a copy are not those of the signed submission.",
            "Submit the job again."),
    HOME_DIRECTORY(
            Severity.PERMANENT,
            "Files would be copied into a home directory.",
            "Submit the job in a folder below the home directory."),
    SIGNATURE_EXPIRED(Severity.PERMANENT, "The signature of the submission has expired.", "Submit the job again.");

    /** Whether waiting can help. */
    public enum Severity {
        /** The request can never be satisfied as it is. */
        PERMANENT,
        /** The obstacle may go away. */
        TEMPORARY
    }

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final Severity severity;
    private final String meaning;
    private final String remedy;

    VetoCode(final Severity severity, final String meaning, final String remedy) {
        this.severity = severity;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** The label in events, logs and metrics, e.g. {@code no-idle-cores}. */
    public String code() {
        return code;
    }

    public Severity severity() {
        return severity;
    }

    public String meaning() {
        return meaning;
    }

    /** What the user or operator can do. */
    public String remedy() {
        return remedy;
    }

    /** @param reason one sentence that names the thing, the figures and, where there is one, the remedy */
    public Veto veto(final String reason) {
        return new Veto(code(), severity == Severity.PERMANENT, reason);
    }

    /** The code that a veto carries; empty for one of a newer release. */
    public static Optional<VetoCode> find(final Veto veto) {
        return Arrays.stream(values()).filter(code -> code.isOf(veto)).findFirst();
    }

    /** Whether {@code veto} carries this code. */
    public boolean isOf(final Veto veto) {
        return veto.code().equals(code());
    }
}
