package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.OptionEffect;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmType;
import io.millrace.script.directive.OptionFile.Parsers;
import io.millrace.script.directive.OptionTable.Argument;
import io.millrace.script.directive.OptionTable.Entry;
import io.millrace.script.directive.OptionTable.ParsedValue;
import io.millrace.script.directive.OptionTable.Treatment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Parses the resource list of {@code -l}: {@code select=2:ncpus=8+1:ncpus=1,place=scatter} or {@code nodes=2:ppn=8,walltime=1:00:00}. */
public final class PbsResources {

    /** Limits other than the walltime, and other names of cores. */
    private static final Set<String> OTHER_LIMITS =
            Set.of("cput", "pcput", "nodect", "mpiprocs", "ppn", "vmem", "pvmem");

    private static final List<String> ONE_SETTING = List.of(
            "select",
            "ncpus",
            "procs",
            "mppwidth",
            "mppdepth",
            "mppnppn",
            "mem",
            "pmem",
            "gpus",
            "walltime",
            "software",
            "host",
            "feature",
            "qos",
            "advres",
            "naccesspolicy");

    private static final String PREFIX = "-l ";

    /** The word before the GPU mode in {@link JobSetting.SystemSpecific}. */
    public static final String GPU_MODE_OPTION = "gpu mode";

    /** The modes of GPUs in {@code nodes=2:ppn=4:gpus=4:shared} of Torque, with its abbreviations. */
    private static final Pattern GPU_MODE = Pattern.compile("(?i)shared|exclusive(_thread|_process)?|default|reseterr");

    private PbsResources() {}

    /** Adds the parsers of the resources that Millrace reads. */
    static void addTo(final Parsers parsers) {
        ONE_SETTING.forEach(name -> parsers.value(PREFIX + name, value -> setting(name, value)));
        parsers.values(PREFIX + "nodes", PbsResources::nodes).values(PREFIX + "place", PbsResources::place);
    }

    static List<ParsedValue> read(final String text) throws DirectiveSyntaxException {
        final List<ParsedValue> values = new ArrayList<>();
        for (final String item : items(text)) {
            final int equals = item.indexOf('=');
            if (equals < 1) {
                throw new DirectiveSyntaxException("'" + item + "' is not a resource; use name=value");
            }
            final String name = item.substring(0, equals).strip();
            final Entry entry = entry(name);
            for (final ParsedValue value :
                    entry.parser().of(item.substring(equals + 1).strip())) {
                values.add(value.partOf(entry, PREFIX + item));
            }
        }
        return values;
    }

    /** The line of the table. A resource that is not there was defined by the site. */
    private static Entry entry(final String name) {
        final Entry known = PbsOptions.TABLE.byName(PREFIX + name);
        if (known != null) {
            return known;
        }
        final Entry any = Objects.requireNonNull(PbsOptions.TABLE.byName(PREFIX + "*"));
        return new Entry(
                PREFIX + name,
                any.takes(),
                any.effect(),
                any.treatment(),
                any.knownTo(),
                value -> ParsedValue.of(new JobSetting.SystemSpecific(List.of("-l", name + "=" + value))));
    }

    /** Whether this resource name has a meaning for the size or placement of a job, which only the submission specifies. */
    public static boolean isReserved(final String name) {
        return entry(name).treatment() != Treatment.PASSED || OTHER_LIMITS.contains(name);
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

    private static JobSetting setting(final String name, final String value) throws DirectiveSyntaxException {
        return switch (name) {
            case "select" -> new JobSetting.Chunks(selected(value), false);
            case "ncpus" -> new JobSetting.CoresPerTask(Quantities.positive(value, "cores"));
            case "procs", "mppwidth" -> new JobSetting.Cores(Quantities.positive(value, "processes"));
            case "mppdepth" -> new JobSetting.CoresPerTask(Quantities.positive(value, "cores per process"));
            case "mppnppn" -> new JobSetting.TasksPerNode(Quantities.positive(value, "processes per node"));
            case "mem" -> new JobSetting.Memory(Quantities.pbsSize(value), JobSetting.Per.JOB);
            case "pmem" -> new JobSetting.Memory(Quantities.pbsSize(value), JobSetting.Per.TASK);
            case "gpus" -> new JobSetting.Gpus(Quantities.number(value, "GPUs"), JobSetting.Per.JOB, null);
            case "walltime" -> new JobSetting.Walltime(Quantities.pbsTime(value));
            case "software" -> new JobSetting.Licence(value, 1);
            case "host" -> new JobSetting.Hosts(List.of(value), true);
            case "feature" -> new JobSetting.Feature(value);
            case "qos" -> new JobSetting.QualityOfService(value);
            case "advres" -> new JobSetting.Reservation(value);
            case "naccesspolicy" -> new JobSetting.Exclusive(value.matches("(?i)single(job|task|user)"));
            default -> throw new IllegalStateException("no parser for " + name);
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
    private static List<ParsedValue> nodes(final String value) throws DirectiveSyntaxException {
        final List<JobSetting.Chunk> chunks = new ArrayList<>();
        final List<ParsedValue> settings = new ArrayList<>();
        final Set<String> modes = new TreeSet<>();
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
                } else if (other.containsKey("gpus") && GPU_MODE.matcher(word).matches()) {
                    modes.add(word.toLowerCase(Locale.ROOT));
                } else if (!word.isBlank()) {
                    other.put(word, "");
                }
                first = false;
            }
            chunks.add(node(count, other));
        }
        settings.add(new ParsedValue(null, new JobSetting.Chunks(chunks, true)));
        if (modes.size() > 1) {
            throw new DirectiveSyntaxException("GPU modes " + modes + " differ; use one for all nodes");
        }
        modes.forEach(mode -> settings.add(gpuMode(mode)));
        if (hash >= 0) {
            settings.addAll(nodeAccess(value.substring(hash + 1)));
        }
        return settings;
    }

    /** {@code #excl}, {@code #shared}. */
    private static List<ParsedValue> nodeAccess(final String suffix) throws DirectiveSyntaxException {
        return switch (suffix) {
            case "excl" -> ParsedValue.of(new JobSetting.Exclusive(true));
            case "shared" -> ParsedValue.of(new JobSetting.Exclusive(false));
            default ->
                throw new DirectiveSyntaxException("'#" + suffix + "' in nodes is not valid; use #excl or #shared");
        };
    }

    /** Only Torque can set the mode of a GPU. It changes how processes share the GPU, not which job gets it. */
    private static ParsedValue gpuMode(final String mode) {
        final Entry gpuMode = new Entry(
                PREFIX + "nodes (GPU mode)",
                Argument.REQUIRED,
                OptionEffect.NOTHING,
                Treatment.PASSED,
                Set.of(WlmType.TORQUE),
                value -> List.of());
        return new ParsedValue(
                "GPU mode '" + mode + "'",
                new JobSetting.SystemSpecific(List.of(GPU_MODE_OPTION, mode)),
                null,
                gpuMode);
    }

    /** {@code ppn} is processes; {@code cpp}, or {@code ncpus}, is the cores of each. */
    private static JobSetting.Chunk node(final int count, final Map<String, String> other)
            throws DirectiveSyntaxException {
        final String cpp = other.remove("cpp");
        final String ncpus = other.remove("ncpus");
        final String each = cpp == null ? ncpus : cpp;
        final JobSetting.Chunk chunk = chunk(count, other, "ppn", "procs", "gpus");
        final int tasks = chunk.tasks() > 0 ? chunk.tasks() : chunk.cores();
        final long cores = (long) chunk.cores() * (each == null ? 1 : Quantities.positive(each, "cores per process"));
        return new JobSetting.Chunk(
                count, (int) Math.min(cores, TaskLayout.MOST), tasks, chunk.memoryMib(), chunk.gpus(), chunk.other());
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
                mpiprocs == null ? 0 : Quantities.positive(mpiprocs, "processes"),
                memory == null ? 0 : Quantities.pbsSize(memory),
                accelerators == null ? 0 : Quantities.number(accelerators, "GPUs"),
                other);
    }

    /** {@code scatter:excl}, {@code pack}, {@code free:shared}. */
    private static List<ParsedValue> place(final String value) throws DirectiveSyntaxException {
        final List<ParsedValue> settings = new ArrayList<>();
        for (final String word : value.split(":")) {
            switch (word) {
                case "scatter", "vscatter" -> settings.add(new ParsedValue(null, new JobSetting.Spread(true)));
                case "pack" -> settings.add(new ParsedValue(null, new JobSetting.Spread(false)));
                case "excl", "exclhost" -> settings.add(new ParsedValue(null, new JobSetting.Exclusive(true)));
                case "shared", "free" -> settings.add(new ParsedValue(null, new JobSetting.Exclusive(false)));
                default -> {
                    if (!word.startsWith("group=")) {
                        throw new DirectiveSyntaxException("'" + word
                                + "' is not a valid placement; use free, pack, scatter, excl, " + "exclhost or shared");
                    }
                    settings.add(new ParsedValue(
                            null, new JobSetting.Unsupported("Millrace does not group nodes by a resource")));
                }
            }
        }
        return settings;
    }
}
