package io.millrace.agent.lsf;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.SubmitCommand;
import io.millrace.model.job.JobSpec;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bsub}: submits a job on hold and tagged, with the rights of its owner. The answer is the local job id. */
record Bsub(LsfSite site, LsfFeatures features, Submission submission, SubmissionScript translated, String nonce)
        implements SubmitCommand {

    private static final Pattern ID = Pattern.compile("Job <(\\d+)> is submitted");

    /** Options of LSF 10.1 that LSF 9 does not have. */
    private static final Set<String> NOT_IN_9 = Set.of("-gpu", "rusage /task", "-Ne");

    private static final Set<String> NOT_IN_OPENLAVA = Set.of(
            "-gpu",
            "rusage /task",
            "-b year",
            "-Ne",
            "span[block]",
            "affinity",
            "-wa",
            "-wt",
            "-U",
            "-rn",
            "-env",
            "-app",
            "-sla",
            "-cwd");

    static Bsub of(final LsfSite site, final LsfFeatures features, final Submission submission, final String nonce) {
        return new Bsub(
                site,
                features,
                submission,
                SubmissionScript.of(WlmType.LSF, abilities(features), site.cluster(), submission),
                nonce);
    }

    private static WlmFeatures abilities(final LsfFeatures features) {
        final LsfVersion version = features.version();
        final Set<String> missing =
                new HashSet<>(!version.isLsf() ? NOT_IN_OPENLAVA : version.major() < 10 ? NOT_IN_9 : Set.of());
        if (features.memoryPerSlot()) {
            missing.add(WlmFeatures.RESERVES_PER_HOST);
        }
        return new WlmFeatures(version.toString(), missing);
    }

    /** The options of the script follow those of the specification. */
    @Override
    public List<String> argv() {
        final JobSpec spec = submission.spec();
        final List<String> argv = new ArrayList<>(List.of(site.program("bsub"), "-H"));
        if (!translated.options().contains("-rn")) {
            argv.add("-r");
        }
        if (!translated.options().contains("-J")) { // LSF specifies an array as part of the job name
            argv.addAll(List.of("-J", name(spec.name())));
        }
        argv.addAll(List.of(
                "-o",
                "/dev/null", // otherwise LSF mails the output; the script writes its own file
                "-W",
                Long.toString(minutes(spec.walltime()))));
        if (spec.partition() != null) {
            argv.addAll(List.of("-q", spec.partition().value()));
        }
        if (spec.project() != null) {
            argv.addAll(List.of("-P", spec.project().value()));
        }
        if (site.checkpointDir() != null) {
            argv.addAll(List.of("-k", checkpoint(site.checkpointDir())));
        }
        argv.addAll(translated.resources());
        argv.addAll(translated.options());
        return argv;
    }

    private String checkpoint(final Path folder) {
        return site.checkpointMethod().equals("default")
                ? folder.toString()
                : folder + " method=" + site.checkpointMethod();
    }

    /** A job name without the brackets that would make it an array, and on one line. */
    static String name(final String name) {
        return name.replaceAll("\\p{Cntrl}+", " ").replace('[', '(').replace(']', ')');
    }

    static long minutes(final Duration walltime) {
        return Math.max(1, Math.ceilDiv(walltime.toSeconds(), 60L));
    }

    @Override
    public byte[] input() {
        return JobScript.of(submission.attempt(), translated.script(nonce), nonce)
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Map<String, String> environment() {
        return site.commandEnvironment();
    }

    /** The job runs in the working directory of bsub. */
    @Override
    public String directory() {
        return submission.directory();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        if (!result.succeeded()) {
            return LsfErrors.of("bsub", result, Answer.Kind.REJECTED);
        }
        final Matcher id = ID.matcher(result.outputText());
        return jobId(id.find() ? Optional.of(id.group(1)) : Optional.empty(), result);
    }

    @Override
    public Optional<String> refusal() {
        return invalidArguments().or(this::missingGpuSupport).or(translated::refusal);
    }

    private Optional<String> missingGpuSupport() {
        final int gpus = submission.spec().resources().gpus();
        return gpus > 0 && abilities(features).missingOptions().contains("-gpu")
                ? Optional.of("the job requests " + gpus + " GPUs, but " + features.version()
                        + " does not support GPU requests; use LSF 10.1 or later")
                : Optional.empty();
    }
}
