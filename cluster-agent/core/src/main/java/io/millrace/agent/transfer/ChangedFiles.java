package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Protects each file at the destination that the copy would replace although it has changed since the time in the order, by its user or by
 * another job. If the job has not written its version, which is older than {@link Rsync#UPLOADED}, a rule of {@link Rsync#outdated} excludes
 * it. Otherwise the file is linked to a second name. rsync replaces files by renaming, so the second name keeps the contents.
 * {@link KeepBoth} then gives the file its name back. If nothing at the destination has changed, the source is not examined.
 *
 * <p>The time of the last change of the inode counts, because a copy sets the time of the last modification to that of its source. The
 * names are on disk and not in the memory of the agent, so that a crash loses nothing.
 *
 * @param thorough as {@link CopyTrees#thorough}, so that exactly the files are linked that the copy replaces
 */
record ChangedFiles(TransferSettings settings, CopyTree order, boolean thorough, String suffix)
        implements CommandLine<Boolean> {

    private static final String SCRIPT = Rsync.BOUNDED + Rsync.INSIDE + """
        set -o pipefail
        export LC_ALL=C TZ=UTC0
        cd -- "$1" || exit
        since=$2 suffix=$3 uploaded=$4 rules=$5
        shift 5
        : >"$rules"
        if found=$(find . -ignore_readdir_race -path ./.millrace-arriving -prune -o ! -type d \\( -newerct "@$((since - 1)).999999999" -o -name "*$suffix" \\) -print -quit) &&
            [[ ! $found ]]; then
            printf unchanged
            exit
        fi
        changed() {
            xargs -0 -r stat --printf '%Z %n\\0' -- |
                while IFS= read -r -d '' line; do
                    if ((${line%% *} >= since)); then printf '%s\\0' "${line#* }"; fi
                done
        }
        "$@" | sed -n -e "s/^.\\{12\\}\\([^ ]*\\) $uploaded\\$/\\1/w $rules.time" -e 's/^[>ch][fL].\\{9\\} //p' >"$rules.names"
        status=$?
        ((status == 0 || status == 24)) || exit $status
        read -r time <"$rules.time"
        exec <"$rules.names"
        """ + Rsync.names(1) + """
            while IFS= read -r -d '' line; do
                name=./${line#* }
                inside "$name" || continue
                if [[ ! -L $name && (! -e $name || -d $name) ]]; then continue; fi
                if [[ ${line%% *} < $time ]]; then printf '%s\\0' "$name" >&3; else printf '%s\\0' "$name"; fi
            done 3>"$rules.older" >"$rules.replaced" || exit
        [[ ! -s $rules.replaced ]] || changed <"$rules.replaced" |
            while IFS= read -r -d '' name; do
                ln --backup=numbered -T -- "$name" "$name$suffix" 2>/dev/null ||
                    mv --backup=numbered -T -- "$name" "$name$suffix" || exit
            done || exit
        [[ ! -s $rules.older ]] || changed <"$rules.older" |
            while IFS= read -r -d '' name; do
                rule=${name#.}
                if [[ $rule == *[*?[$'\\n']* ]]; then # rsync(1): a backslash is literal in a pattern without wildcards
                    rule=${rule//\\\\/\\\\\\\\} rule=${rule//\\*/\\\\*} rule=${rule//\\?/\\\\?}
                    rule=${rule//\\[/\\\\[} rule=${rule//$'\\n'/?}
                fi
                printf '%s\\n' "$rule"
            done >"$rules"
        """;

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(List.of(
                "bash",
                "-c",
                SCRIPT,
                "changed",
                order.to().path(),
                Long.toString(Objects.requireNonNull(order.keepChangedSince()).getEpochSecond()),
                suffix,
                Rsync.UPLOADED,
                Rsync.outdated(order)));
        final List<String> rsync = Rsync.words(settings, settings.silence(), "--dry-run", "--out-format=%i %M %n");
        if (thorough) {
            rsync.add("--checksum");
        }
        words.addAll(Rsync.withOutdated(settings, order, rsync));
        return List.copyOf(words);
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    /** Whether files may have a second name now. A file that vanishes meanwhile (exit code 24) is not replaced. */
    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return result.succeeded() || result.exit() == 24
                ? Answer.ok(!result.outputText().equals("unchanged"))
                : RsyncErrors.read(result, order.from(), order.to());
    }
}
