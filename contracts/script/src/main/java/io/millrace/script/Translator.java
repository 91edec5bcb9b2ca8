package io.millrace.script;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.ReadScript.Said;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Goes through a script's options and says each in the words of the target, or why it cannot. */
final class Translator {

    private final Wlm wlm;
    private final WlmAbilities abilities;
    private final JobSpec spec;
    private final ReadScript script;
    private final List<Option> options;

    Translator(final Wlm wlm, final WlmAbilities abilities, final JobSpec spec, final ReadScript script) {
        this.wlm = wlm;
        this.abilities = abilities;
        this.spec = spec;
        this.script = script;
        this.options = script.optionsFor(wlm);
    }

    Translation translate() {
        final Sayings sayings = new Sayings(wlm, abilities);
        final Layout layout = layout(sayings);
        final Vocabulary words = vocabulary();
        for (final Option option : options) {
            say(option, words, sayings);
        }
        mail().ifPresent(mail -> words.mail(mail.option(), mail.wish(), sayings));
        signal().ifPresent(signal -> words.signal(signal.option(), signal.wish(), sayings));
        final List<String> resources = words.resources(spec, layout, ownChunks(), sayings);
        final List<String> remarks = new ArrayList<>(script.remarks());
        remarks.addAll(sayings.remarks());
        return new Translation(sayings.words(), resources, layout, sayings.lost(), remarks, shell());
    }

    private Vocabulary vocabulary() {
        return switch (wlm) {
            case SLURM -> new SlurmWords();
            case PBSPRO -> new PbsProWords();
            case OPENPBS -> new ClassicPbsWords();
            case LSF -> new LsfWords();
            case LOCAL -> new LocalWords();
        };
    }

    /** The split the script wants, if it adds up to the cores of the specification; else one core a task. */
    private Layout layout(final Sayings sayings) {
        final Resources wanted = spec.resources();
        final Asked asked = Asked.of(options);
        if (asked.cores() == null) {
            return new Layout(
                    wanted.cores(),
                    1,
                    wanted.nodes(),
                    0,
                    asked.layout().features(),
                    asked.layout().exclusive());
        }
        final Layout layout = asked.layout();
        if (asked.cores() == wanted.cores()
                && (wanted.nodes() == 0 || layout.nodes() == 0 || wanted.nodes() == layout.nodes())) {
            return wanted.nodes() == 0 || layout.nodes() > 0
                    ? layout
                    : new Layout(
                            layout.tasks(),
                            layout.coresPerTask(),
                            wanted.nodes(),
                            layout.tasksPerNode(),
                            layout.features(),
                            layout.exclusive());
        }
        sayings.remark("the submission's " + wanted.cores() + " cores count, not the " + asked.cores()
                + " of the script; they are spread evenly");
        return new Layout(wanted.cores(), 1, wanted.nodes(), 0, layout.features(), layout.exclusive());
    }

    /** Chunks that its own system can be given as they are. */
    private List<Wish.Chunk> ownChunks() {
        final Optional<Said<Wish.Chunks>> chunks = ReadScript.last(options, Wish.Chunks.class);
        final Asked asked = Asked.of(options);
        return chunks.isPresent()
                        && asked.cores() != null
                        && asked.cores() == spec.resources().cores()
                ? chunks.get().wish().chunks()
                : List.of();
    }

    private void say(final Option option, final Vocabulary words, final Sayings sayings) {
        switch (option.meaning()) {
            case Wish.Name w -> {}
            case Wish.Cores w -> {}
            case Wish.Nodes w -> {}
            case Wish.TasksPerNode w -> {}
            case Wish.CoresPerTask w -> {}
            case Wish.Chunks w -> words.chunks(option, w, sayings);
            case Wish.Spread w -> {}
            case Wish.Memory w -> {}
            case Wish.Gpus w -> words.gpus(option, w, sayings);
            case Wish.Walltime w -> {}
            case Wish.Partition w -> {}
            case Wish.Project w -> {}
            case Wish.Output w -> output(option, sayings);
            case Wish.Error w -> output(option, sayings);
            case Wish.Array w -> words.array(option, w, spec.name(), sayings);
            case Wish.Dependency w -> dependency(option, w, words, sayings);
            case Wish.Mail w -> {} // several options together
            case Wish.SignalBefore w -> {} // several options together
            case Wish.Environment w -> environment(option, w, sayings);
            case Wish.Rerunnable w -> words.rerunnable(option, w, sayings);
            case Wish.Feature w -> words.feature(option, w, sayings);
            case Wish.Exclusive w -> words.exclusive(option, w, sayings);
            case Wish.Licence w -> words.licence(option, w, sayings);
            case Wish.Begin w -> begin(option, w, words, sayings);
            case Wish.Shell w -> {}
            case Wish.Quality w -> words.quality(option, w, sayings);
            case Wish.Reservation w -> words.reservation(option, w, sayings);
            case Wish.Priority w -> words.priority(option, w, sayings);
            case Wish.Hosts w -> words.hosts(option, w, sayings);
            case Wish.Native w -> {
                if (option.dialect() == wlm.dialect()) {
                    words.own(option, w, sayings);
                } else {
                    sayings.lose(option, "only " + option.dialect().words() + " has this");
                }
            }
            case Wish.Settled w -> {}
            case Wish.Unknown w -> sayings.lose(option, w.because());
        }
    }

    private static void output(final Option option, final Sayings sayings) {
        sayings.remark(option.where() + ": screen output goes to millrace-<job id>.out on every system, errors too");
    }

    private void dependency(
            final Option option, final Wish.Dependency wish, final Vocabulary words, final Sayings sayings) {
        if (words.dependency(option, wish, sayings)) {
            sayings.remark(option.where() + ": the jobs it names are looked for on the cluster where it lands");
        }
    }

    private static void environment(final Option option, final Wish.Environment wish, final Sayings sayings) {
        if (wish.all()) {
            sayings.lose(
                    option,
                    "the variables of the shell you submit from stay there; a job starts with its owner's login"
                            + " environment");
        }
        if (!wish.copied().isEmpty()) {
            sayings.lose(
                    option,
                    "the value of " + String.join(", ", wish.copied())
                            + " stays in the shell you submit from; write NAME=value");
        }
    }

    private void begin(final Option option, final Wish.Begin wish, final Vocabulary words, final Sayings sayings) {
        if (option.dialect() == wlm.dialect()) {
            words.begin(option, wish.written(), sayings);
            return;
        }
        final String time = words.time(wish);
        if (time == null) {
            sayings.lose(option, wlm.words() + " cannot say this time; write the date in full, with its year");
        } else {
            words.begin(option, time, sayings);
        }
    }

    private @Nullable String shell() {
        return ReadScript.last(options, Wish.Shell.class)
                .map(said -> said.wish().path())
                .orElse(null);
    }

    /** Occasions and address stand in options of their own. */
    private Optional<Said<Wish.Mail>> mail() {
        final List<Wish.MailOn> on = new ArrayList<>();
        String to = "";
        Option where = null;
        for (final Option option : options) {
            if (option.meaning() instanceof Wish.Mail mail) {
                on.addAll(mail.on());
                to = mail.to().isEmpty() ? to : mail.to();
                where = option;
            }
        }
        if (where == null) {
            return Optional.empty();
        }
        final List<Wish.MailOn> distinct = on.contains(Wish.MailOn.NEVER)
                ? List.of(Wish.MailOn.NEVER)
                : on.stream().distinct().toList();
        return Optional.of(new Said<>(where, new Wish.Mail(distinct, to)));
    }

    private Optional<Said<Wish.SignalBefore>> signal() {
        Wish.SignalBefore whole = null;
        Option where = null;
        for (final Option option : options) {
            if (option.meaning() instanceof Wish.SignalBefore part) {
                whole = whole == null
                        ? part
                        : new Wish.SignalBefore(
                                part.signal() == null ? whole.signal() : part.signal(),
                                part.before() == null ? whole.before() : part.before(),
                                part.shellOnly());
                where = option;
            }
        }
        return whole == null || where == null ? Optional.empty() : Optional.of(new Said<>(where, whole));
    }
}
