package io.millrace.agent.lsf.history;

import io.millrace.agent.lsf.query.JobRequest;
import io.millrace.agent.lsf.query.MemoryUsage;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code JOB_FINISH} record of {@code lsb.acct}: an ended run, with times in seconds since 1970. A requeued run has a record too.
 *
 * @param request what the job requested
 * @param runLimit null if the job had none, or if the version does not record it
 * @param reason termination reason of LSF; 0 if not reported
 * @param used CPU time and memory; without figures if the job never ran
 */
public record AccountingRecord(
        String id,
        Instant submitted,
        @Nullable Instant started,
        Instant ended,
        String user,
        String queue,
        String project,
        String name,
        String command,
        Request request,
        @Nullable Duration runLimit,
        int waitStatus,
        int reason,
        ResourceUsage used) {

    private static final Pattern TAG =
            Pattern.compile("#\\s*millrace ([0-7][0-9A-HJKMNP-TV-Z]{25}\\.[1-9][0-9]{0,8})\\b");
    private static final int USAGE = 19;

    private record Field(String value, boolean quoted) {}

    /**
     * A request. The file does not say whether memory is reserved for each host or for each slot.
     *
     * @param requirements resource requirement string
     * @param gpus GPU requirement; empty if there is none
     * @param slots in use, because a job can request from 2 to 8; those requested if it never ran
     * @param hosts in use; 0 if it never ran
     */
    public record Request(String requirements, String gpus, int slots, int hosts) {

        /** @param memoryPerSlot whether the cluster reserves memory for each slot; see {@link JobRequest#resources} */
        public Resources resources(final boolean memoryPerSlot) {
            return JobRequest.resources(requirements, gpus, slots, hosts, memoryPerSlot);
        }
    }

    public static Optional<AccountingRecord> read(final String line) {
        if (!line.startsWith("\"JOB_FINISH\"")) {
            return Optional.empty();
        }
        try {
            return Optional.of(ofFields(fields(line)));
        } catch (final IndexOutOfBoundsException | NumberFormatException e) {
            return Optional.empty(); // the last line of the file may be incomplete
        }
    }

    /** Splits a line at blanks. A quoted field contains a quote as two quotes; an unclosed field is left out. */
    private static List<Field> fields(final String line) {
        final List<Field> fields = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            final char first = line.charAt(at);
            int end = at + 1;
            if (first == '"') {
                end = closingQuote(line, end);
                if (end < 0) {
                    return fields;
                }
                fields.add(new Field(line.substring(at + 1, end).replace("\"\"", "\""), true));
                end++;
            } else if (!Character.isWhitespace(first)) {
                while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
                    end++;
                }
                fields.add(new Field(line.substring(at, end), false));
            }
            at = end;
        }
        return fields;
    }

    private static int closingQuote(final String line, final int from) {
        int quote = line.indexOf('"', from);
        while (quote >= 0 && quote + 1 < line.length() && line.charAt(quote + 1) == '"') {
            quote = line.indexOf('"', quote + 2);
        }
        return quote;
    }

    private static AccountingRecord ofFields(final List<Field> fields) {
        final int requestedHosts = 22 + number(fields, 22);
        final int hosts = requestedHosts + 1 + number(fields, requestedHosts + 1);
        final int afterUsage = hosts + 5 + USAGE;
        // LSF has an additional field after the login shell, OpenLava has not.
        final int index = afterUsage + 5 + (fields.get(afterUsage + 5).quoted() ? 1 : 0);
        final int reason = index + 9;
        final boolean hasReason = fields.size() > reason
                && !fields.get(reason).quoted()
                && fields.get(reason).value().matches("\\d+");
        final LaterFields later = LaterFields.of(fields, index);
        return new AccountingRecord(
                value(fields, index).equals("0")
                        ? value(fields, 3)
                        : value(fields, 3) + "[" + value(fields, index) + "]",
                time(fields, 7),
                value(fields, 10).equals("0") ? null : time(fields, 10),
                time(fields, 2),
                value(fields, 11),
                value(fields, 12),
                value(fields, afterUsage + 1),
                value(fields, hosts + 3).replaceFirst("\\[[^\\[\\]]*](%\\d+)?$", ""),
                value(fields, hosts + 4),
                request(
                        fields.subList(requestedHosts + 2, hosts + 1),
                        number(fields, 6),
                        later.requirements().isBlank() ? value(fields, 13) : later.requirements(),
                        later.gpus()),
                later.runLimit(),
                number(fields, afterUsage + 2),
                hasReason ? number(fields, reason) : 0,
                used(fields, hosts + 5, index + 1));
    }

    /** User and system time in seconds, -1 if LSF does not know them; the memory in KiB. */
    private static ResourceUsage used(final List<Field> fields, final int times, final int memory) {
        final double user_s = Double.parseDouble(value(fields, times));
        final double system_s = Double.parseDouble(value(fields, times + 1));
        final ResourceUsage cpu = user_s < 0 || system_s < 0
                ? ResourceUsage.NONE
                : new ResourceUsage(RunEnd.seconds(user_s + system_s), null, null);
        return cpu.then(MemoryUsage.ofBytes(Double.parseDouble(value(fields, memory)) * 1024));
    }

    /** @param hosts one name per slot, or {@code 16*host} (LSF_HPC_EXTENSIONS="SHORT_EVENTFILE"); none if the job never ran */
    private static Request request(
            final List<Field> hosts, final int requestedSlots, final String requirements, final String gpus) {
        final Map<String, Integer> slots = new HashMap<>();
        for (final Field host : hosts) {
            final int star = host.value().indexOf('*');
            slots.merge(
                    host.value().substring(star + 1),
                    star < 0 ? 1 : Integer.parseInt(host.value().substring(0, star)),
                    Integer::sum);
        }
        final int used = slots.values().stream().mapToInt(Integer::intValue).sum();
        return new Request(requirements, gpus, Math.max(1, used > 0 ? used : requestedSlots), slots.size());
    }

    /**
     * Fields that LSF has added to the end since 9.1; OpenLava has none of them. Their order is that of the files, which differs from the
     * documentation of lsb.acct.
     *
     * @param requirements the effective resource requirements; empty if missing
     * @param gpus the GPU requirement; empty if missing
     */
    private record LaterFields(@Nullable Duration runLimit, String requirements, String gpus) {

        private static final LaterFields NONE = new LaterFields(null, "", "");
        /** Key of {@code bsub -gpu} among the extended submission fields. */
        private static final String GPUS = "1042";

        /** @param index position of the array index */
        static LaterFields of(final List<Field> fields, final int index) {
            try {
                final int extended = index + 24; // after the description of the job
                final int hostUsage = extended + 1 + 2 * number(fields, extended);
                String gpus = "";
                for (int at = extended + 1; at < hostUsage; at += 2) {
                    gpus = value(fields, at).equals(GPUS) ? value(fields, at + 1) : gpus;
                }
                final int runLimit = hostUsage + 1 + 5 * number(fields, hostUsage);
                final int limit_s = number(fields, runLimit); // then options and the average memory
                return fields.get(runLimit + 3).quoted()
                        ? new LaterFields(
                                limit_s > 0 ? Duration.ofSeconds(limit_s) : null, value(fields, runLimit + 3), gpus)
                        : NONE;
            } catch (final IndexOutOfBoundsException | NumberFormatException e) {
                return NONE; // a version without them
            }
        }
    }

    private static String value(final List<Field> fields, final int index) {
        return fields.get(index).value();
    }

    private static int number(final List<Field> fields, final int index) {
        return Integer.parseInt(value(fields, index));
    }

    private static Instant time(final List<Field> fields, final int index) {
        return Instant.ofEpochSecond(Long.parseLong(value(fields, index)));
    }

    JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, id), submitted);
    }

    @Nullable
    public AttemptId attempt() {
        final Matcher tag = TAG.matcher(command);
        return tag.find() ? AttemptId.of(tag.group(1)) : null;
    }

    /** See "Termination reasons" in Administering IBM Spectrum LSF. OpenLava reports only the exit status. */
    public RunOutcome outcome() {
        return switch (reason) {
            case 5, 6, 12 -> new RunOutcome.TimedOut();
            case 16, 20 -> new RunOutcome.OutOfMemory();
            case 1 -> new RunOutcome.Preempted();
            case 8, 9, 14, 15, 23, 26, 27, 2, 3, 13 -> new RunOutcome.Cancelled();
            case 10, 11 -> new RunOutcome.Requeued();
            case 18, 19, 22, 33, 34 -> new RunOutcome.NodeFailed();
            default -> started == null ? new RunOutcome.Cancelled() : byStatus();
        };
    }

    private RunOutcome byStatus() {
        return (waitStatus & 0x7f) != 0
                ? new RunOutcome.Signalled(waitStatus & 0x7f)
                : RunEnd.ofExitCode((waitStatus >> 8) & 0xff);
    }
}
