package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bsub}: hands a job in, held and tagged; run with the rights of its owner. The answer is the local id. */
record Bsub(LsfSite site, Version version, Submission submission, String nonce) implements CommandLine<String> {

    private static final Pattern ID = Pattern.compile("Job <(\\d+)> is submitted");

    @Override
    public List<String> argv() {
        final JobSpec spec = submission.spec();
        final Resources wanted = spec.resources();
        final List<String> argv = new ArrayList<>(List.of(
                site.program("bsub"),
                "-H",
                "-r",
                "-J",
                name(spec.name()),
                "-o",
                "/dev/null", // else LSF mails what the job prints; the script writes its own file
                "-W",
                Long.toString(minutes(spec.walltime())),
                "-n",
                Integer.toString(wanted.cores())));
        if (spec.partition() != null) {
            argv.addAll(List.of("-q", spec.partition().value()));
        }
        if (spec.project() != null) {
            argv.addAll(List.of("-P", spec.project().value()));
        }
        final String resources = resources(wanted);
        if (!resources.isEmpty()) {
            argv.addAll(List.of("-R", resources));
        }
        if (wanted.gpus() > 0) {
            argv.addAll(List.of("-gpu", "num=" + Math.ceilDiv(wanted.gpus(), hosts(wanted))));
        }
        if (site.checkpoints() != null) {
            argv.addAll(List.of("-k", checkpoint(site.checkpoints())));
        }
        return argv;
    }

    /** On this system a reservation counts for each host, so does a number of GPUs. */
    private static String resources(final Resources wanted) {
        final List<String> sections = new ArrayList<>();
        if (wanted.nodes() > 0) {
            sections.add("span[ptile=" + Math.ceilDiv(wanted.cores(), wanted.nodes()) + "]");
        }
        if (wanted.memory_mib() > 0) {
            sections.add("rusage[mem=" + Math.ceilDiv(wanted.memory_mib(), (long) hosts(wanted)) + "]");
        }
        return String.join(" ", sections);
    }

    private static int hosts(final Resources wanted) {
        return Math.max(1, wanted.nodes());
    }

    private String checkpoint(final Path folder) {
        return site.checkpointMethod().equals("default")
                ? folder.toString()
                : folder + " method=" + site.checkpointMethod();
    }

    /** Brackets make an array of a name, and a line has no second line here. */
    static String name(final String name) {
        return name.replaceAll("\\p{Cntrl}+", " ").replace('[', '(').replace(']', ')');
    }

    static long minutes(final Duration walltime) {
        return Math.max(1, Math.ceilDiv(walltime.toSeconds(), 60L));
    }

    @Override
    public byte[] input() {
        return JobScript.of(submission, site.cluster().value(), nonce).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Map<String, String> environment() {
        return site.acting();
    }

    /** It is the job's directory because it is bsub's. */
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
            return Complaint.of("bsub", result, Answer.Kind.REJECTED);
        }
        final Matcher id = ID.matcher(result.outputText());
        return id.find()
                ? Answer.ok(id.group(1))
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "bsub printed no job id: '" + result.outputText().strip() + "'");
    }

    /** Why this cannot be asked of LSF; empty if it can. */
    String refusal() {
        final JobSpec spec = submission.spec();
        for (final String variable : spec.environment().keySet()) {
            if (!JobScript.isName(variable)) {
                return "'" + variable
                        + "' cannot be a variable of a job; use letters, digits and underscores, no digit first";
            }
        }
        if (spec.resources().gpus() > 0 && !(version.isLsf() && version.major() >= 10)) {
            return "it asks for " + spec.resources().gpus() + " GPUs; " + version
                    + " cannot be asked for any (LSF 10.1 can)";
        }
        return "";
    }
}
