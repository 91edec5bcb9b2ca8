package io.millrace.script;

import io.millrace.script.OptionTable.ParsedValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What stands behind {@code -l}: {@code select=2:ncpus=8+1:ncpus=1,place=scatter} or {@code nodes=2:ppn=8,walltime=1:00:00}. */
final class PbsResources {

    /** Limits of a run beside its walltime, and cores by other names. */
    private static final Set<String> TIMES = Set.of("cput", "pcput", "nodect", "mpiprocs", "ppn", "vmem", "pvmem");

    private PbsResources() {}

    static List<ParsedValue> read(final String text) throws DirectiveSyntaxException {
        final List<ParsedValue> meant = new ArrayList<>();
        for (final String item : items(text)) {
            final int equals = item.indexOf('=');
            if (equals < 1) {
                throw new DirectiveSyntaxException("'" + item + "' is no resource; write name=value");
            }
            for (final JobSetting wish : wishes(
                    item.substring(0, equals).strip(),
                    item.substring(equals + 1).strip(),
                    item)) {
                meant.add(new ParsedValue("-l " + item, wish));
            }
        }
        return meant;
    }

    /** Whether PBS reads a resource of this name as more than a thing that is counted or had: the submission says those itself. */
    static boolean isReserved(final String name) {
        try {
            return wishes(name, "1", name + "=1").stream().noneMatch(JobSetting.SystemSpecific.class::isInstance)
                    || TIMES.contains(name);
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
            throw new DirectiveSyntaxException("-l names no resource");
        }
        return items;
    }

    private static List<JobSetting> wishes(final String name, final String value, final String whole) throws DirectiveSyntaxException {
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
            case "ngpus", "gpus" -> List.of(new JobSetting.Gpus(Quantities.number(value, "GPUs"), JobSetting.Per.JOB, null));
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
                List.of(new JobSetting.Unsupported("it says a second time how large the job is; write select, or nodes and ppn"));
            case "naccelerators", "mics", "nmics" ->
                List.of(new JobSetting.Unsupported("accelerators are granted as GPUs; write ngpus"));
            case "min_walltime", "max_walltime", "soft_walltime" ->
                List.of(new JobSetting.Unsupported("Millrace plans with one walltime"));
            default -> List.of(new JobSetting.SystemSpecific(List.of("-l", whole)));
        };
    }

    /** {@code 2:ncpus=8:mpiprocs=4:mem=16gb:ngpus=1:bigmem=True+1:ncpus=1}. */
    private static List<JobSetting.Chunk> selected(final String value) throws DirectiveSyntaxException {
        final List<JobSetting.Chunk> chunks = new ArrayList<>();
        for (final String part : value.split("\\+", -1)) {
            final String[] words = part.split(":");
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
                    throw new DirectiveSyntaxException("'" + words[at] + "' in select is no resource; write name=value");
                }
                other.put(words[at].substring(0, equals), words[at].substring(equals + 1));
            }
            chunks.add(chunk(count, other, "ncpus", "mpiprocs", "ngpus"));
        }
        return chunks;
    }

    /** {@code 2:ppn=8:bigmem+1:ppn=4}, or names of nodes. */
    private static List<JobSetting> nodes(final String value) throws DirectiveSyntaxException {
        final List<JobSetting.Chunk> chunks = new ArrayList<>();
        final List<JobSetting> wishes = new ArrayList<>();
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
        wishes.add(new JobSetting.Chunks(chunks, true));
        if (hash >= 0 && value.substring(hash).equals("#excl")) {
            wishes.add(new JobSetting.Exclusive(true));
        }
        return wishes;
    }

    private static JobSetting.Chunk chunk(
            final int count, final Map<String, String> other, final String cores, final String tasks, final String gpus)
            throws DirectiveSyntaxException {
        final String ncpus = other.remove(cores);
        final String mpiprocs = other.remove(tasks);
        final String memory = other.remove("mem");
        final String cray = other.remove("naccelerators");
        final String said = other.remove(gpus);
        final String accelerators = said == null ? cray : said;
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
        final List<JobSetting> wishes = new ArrayList<>();
        for (final String word : value.split(":")) {
            switch (word) {
                case "scatter", "vscatter" -> wishes.add(new JobSetting.Spread(true));
                case "pack" -> wishes.add(new JobSetting.Spread(false));
                case "excl", "exclhost" -> wishes.add(new JobSetting.Exclusive(true));
                case "shared", "free" -> wishes.add(new JobSetting.Exclusive(false));
                default -> {
                    if (!word.startsWith("group=")) {
                        throw new DirectiveSyntaxException("'" + word + "' is no placement; PBS knows free, pack, scatter, excl, "
                                + "exclhost, shared and group=…");
                    }
                    wishes.add(new JobSetting.Unsupported("nodes are not grouped by a resource under Millrace"));
                }
            }
        }
        return wishes;
    }
}
