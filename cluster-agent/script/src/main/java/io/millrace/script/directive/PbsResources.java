package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.directive.OptionTable.ParsedValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses the resource list of {@code -l}: {@code select=2:ncpus=8+1:ncpus=1,place=scatter} or {@code nodes=2:ppn=8,walltime=1:00:00}. */
public final class PbsResources {

    /** Limits other than the walltime, and other names of cores. */
    private static final Set<String> OTHER_LIMITS =
            Set.of("cput", "pcput", "nodect", "mpiprocs", "ppn", "vmem", "pvmem");

    private PbsResources() {}

    static List<ParsedValue> read(final String text) throws DirectiveSyntaxException {
        final List<ParsedValue> values = new ArrayList<>();
        for (final String item : items(text)) {
            final int equals = item.indexOf('=');
            if (equals < 1) {
                throw new DirectiveSyntaxException("'" + item + "' is not a resource; use name=value");
            }
            for (final JobSetting wish : settings(
                    item.substring(0, equals).strip(),
                    item.substring(equals + 1).strip(),
                    item)) {
                values.add(new ParsedValue("-l " + item, wish));
            }
        }
        return values;
    }

    /** Whether this resource name has a meaning for the size or placement of a job, which only the submission specifies. */
    public static boolean isReserved(final String name) {
        try {
            return settings(name, "1", name + "=1").stream().noneMatch(JobSetting.SystemSpecific.class::isInstance)
                    || OTHER_LIMITS.contains(name);
        } catch (final DirectiveSyntaxException e) {
            return true;
        }
    }

    private static List<String> items(final String text) throws DirectiveSyntaxException {
        final List<String> items = new ArrayList<>();
        for (final String part : VariableList.split(text)) {
            if (!part.isBlank()) {
                items.add(part.strip());
            }
        }
        if (items.isEmpty()) {
            throw new DirectiveSyntaxException("-l has no resource");
        }
        return items;
    }

    private static List<JobSetting> settings(final String name, final String value, final String whole)
            throws DirectiveSyntaxException {
        return switch (name) {
            case "select" -> List.of(new JobSetting.Chunks(selected(value), false));
            case "nodes" -> nodes(value);
            case "place" -> place(value);
            case "ncpus" -> List.of(new JobSetting.CoresPerTask(Quantities.positive(value, "cores")));
            case "procs", "mppwidth" -> List.of(new JobSetting.Cores(Quantities.positive(value, "processes")));
            case "mppdepth" -> List.of(new JobSetting.CoresPerTask(Quantities.positive(value, "cores per process")));
            case "mppnppn" -> List.of(new JobSetting.TasksPerNode(Quantities.positive(value, "processes per node")));
            case "mem" -> List.of(new JobSetting.Memory(Quantities.pbsSize(value), JobSetting.Per.JOB));
            case "pmem" -> List.of(new JobSetting.Memory(Quantities.pbsSize(value), JobSetting.Per.TASK));
            case "ngpus", "gpus" ->
                List.of(new JobSetting.Gpus(Quantities.number(value, "GPUs"), JobSetting.Per.JOB, null));
            case "walltime" -> List.of(new JobSetting.Walltime(Quantities.pbsTime(value)));
            case "software" -> List.of(new JobSetting.Licence(value, 1));
            case "host", "vnode" -> List.of(new JobSetting.Hosts(List.of(value), true));
            case "feature" -> List.of(new JobSetting.Feature(value));
            case "qos" -> List.of(new JobSetting.QualityOfService(value));
            case "advres" -> List.of(new JobSetting.Reservation(value));
            case "naccesspolicy" ->
                List.of(
                        value.matches("(?i)single(job|task|user)")
                                ? new JobSetting.Exclusive(true)
                                : new JobSetting.Exclusive(false));
            case "size",
                    "nodect",
                    "ppn",
                    "mpiprocs",
                    "mppnodes",
                    "tpn",
                    "ttc",
                    "trl",
                    "geometry",
                    "procs_bitmap",
                    "lprocs" ->
                List.of(new JobSetting.Unsupported("it repeats the size of the job; use select, or nodes and ppn"));
            case "naccelerators", "mics", "nmics" ->
                List.of(new JobSetting.Unsupported("accelerators are granted as GPUs; use ngpus"));
            case "min_walltime", "max_walltime", "soft_walltime" ->
                List.of(new JobSetting.Unsupported("Millrace supports one walltime"));
            default -> List.of(new JobSetting.SystemSpecific(List.of("-l", whole)));
        };
    }

    /** {@code 2:ncpus=8:mpiprocs=4:mem=16gb:ngpus=1:bigmem=True+1:ncpus=1}. */
    private static List<JobSetting.Chunk> selected(final String value) throws DirectiveSyntaxException {
        final List<JobSetting.Chunk> chunks = new ArrayList<>();
        for (final String part : value.split("\\+", -1)) {
            final String[] words = part.split(":");
            if (words.length == 0) {
                throw new DirectiveSyntaxException("'" + part + "' in select is not a chunk; use count:name=value");
            }
            int at = 0;
            int count = 1;
            if (words[0].matches("\\d+")) {
                count = Quantities.positive(words[0], "chunks");
                at = 1;
            }
            final Map<String, String> other = new LinkedHashMap<>();
            for (; at < words.length; at++) {
                final int equals = words[at].indexOf('=');
                if (equals < 1) {
                    throw new DirectiveSyntaxException(
                            "'" + words[at] + "' in select is not a resource; use name=value");
                }
                other.put(words[at].substring(0, equals), words[at].substring(equals + 1));
            }
            chunks.add(chunk(count, other, "ncpus", "mpiprocs", "ngpus"));
        }
        return chunks;
    }

    /** {@code 2:ppn=8:bigmem+1:ppn=4}, or node names. */
    private static List<JobSetting> nodes(final String value) throws DirectiveSyntaxException {
        final List<JobSetting.Chunk> chunks = new ArrayList<>();
        final List<JobSetting> settings = new ArrayList<>();
        final int hash = value.indexOf('#');
        for (final String part : (hash < 0 ? value : value.substring(0, hash)).split("\\+", -1)) {
            int count = 1;
            final Map<String, String> other = new LinkedHashMap<>();
            boolean first = true;
            for (final String word : part.split(":")) {
                final int equals = word.indexOf('=');
                if (first && word.matches("\\d+")) {
                    count = Quantities.positive(word, "nodes");
                } else if (equals > 0) {
                    other.put(word.substring(0, equals), word.substring(equals + 1));
                } else if (!word.isBlank()) {
                    other.put(word, "");
                }
                first = false;
            }
            chunks.add(chunk(count, other, "ppn", "procs", "gpus"));
        }
        settings.add(new JobSetting.Chunks(chunks, true));
        if (hash >= 0 && value.substring(hash).equals("#excl")) {
            settings.add(new JobSetting.Exclusive(true));
        }
        return settings;
    }

    private static JobSetting.Chunk chunk(
            final int count, final Map<String, String> other, final String cores, final String tasks, final String gpus)
            throws DirectiveSyntaxException {
        final String ncpus = other.remove(cores);
        final String mpiprocs = other.remove(tasks);
        final String memory = other.remove("mem");
        final String cray = other.remove("naccelerators");
        final String generic = other.remove(gpus);
        final String accelerators = generic == null ? cray : generic;
        return new JobSetting.Chunk(
                count,
                ncpus == null ? 1 : Quantities.positive(ncpus, "cores"),
                mpiprocs == null ? 0 : Quantities.number(mpiprocs, "processes"),
                memory == null ? 0 : Quantities.pbsSize(memory),
                accelerators == null ? 0 : Quantities.number(accelerators, "GPUs"),
                other);
    }

    /** {@code scatter:excl}, {@code pack}, {@code free:shared}. */
    private static List<JobSetting> place(final String value) throws DirectiveSyntaxException {
        final List<JobSetting> settings = new ArrayList<>();
        for (final String word : value.split(":")) {
            switch (word) {
                case "scatter", "vscatter" -> settings.add(new JobSetting.Spread(true));
                case "pack" -> settings.add(new JobSetting.Spread(false));
                case "excl", "exclhost" -> settings.add(new JobSetting.Exclusive(true));
                case "shared", "free" -> settings.add(new JobSetting.Exclusive(false));
                default -> {
                    if (!word.startsWith("group=")) {
                        throw new DirectiveSyntaxException("'" + word
                                + "' is not a valid placement; use free, pack, scatter, excl, " + "exclhost or shared");
                    }
                    settings.add(new JobSetting.Unsupported("Millrace does not group nodes by a resource"));
                }
            }
        }
        return settings;
    }
}
