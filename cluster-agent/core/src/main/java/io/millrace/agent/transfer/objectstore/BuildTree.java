package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Makes a tree of the fetched objects. Names of one file at the source become names of one file here.
 *
 * @param folder absolute path of the folder that gets the tree
 * @param objects absolute path of the folder of the fetched objects
 */
public record BuildTree(String folder, String objects, StoredTree tree, Duration limit)
        implements CommandLine<Boolean> {

    private static final String SCRIPT = """
        export LC_ALL=C
        tree=$1 objects=$2 archive=$2/$3
        if [[ -e $tree ]]; then
            find -P "$tree" -xdev -type d ! -perm -u=rwx -exec chmod u+rwx -- {} \\; && rm -r -f -- "$tree" || exit
        fi
        mkdir -m 0700 -- "$tree" && cd -- "$tree" || exit
        declare -A names used
        while IFS=' ' read -r -d '' sum size inode mode modified name; do
            name=${name%/}
            mkdir -p -- "${name%/*}" || exit
            if [[ ${names[$inode]-} ]]; then
                ln -T -- "${names[$inode]}" "$name" || exit
                continue
            elif [[ ${used[$sum]-} ]]; then
                cp --reflink=auto -T -- "$objects/$sum" "$name" || exit
            else
                ln -T -- "$objects/$sum" "$name" || exit
            fi
            names[$inode]=$name used[$sum]=1
            touch -d "@$modified" -- "$name" && chmod "$mode" -- "$name" || exit
        done
        exec tar --extract --file="$archive" --preserve-permissions --no-same-owner --delay-directory-restore
        """;

    @Override
    public List<String> argv() {
        return List.of("bash", "-c", SCRIPT, "build", folder, objects, tree.archiveSum());
    }

    @Override
    public byte[] input() {
        return tree.lines().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(true)
                : Answer.trouble(
                        Answer.Kind.REJECTED, "cannot unpack the tree in '" + folder + "': " + result.errorText());
    }
}
