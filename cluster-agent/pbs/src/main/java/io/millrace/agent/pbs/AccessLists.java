package io.millrace.agent.pbs;

import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads who may use a queue: {@code acl_users} and {@code acl_groups}. */
public final class AccessLists {

    /** Represents "no user": jobs of root are not run. */
    private static final UserName NO_USER = UserName.of("root");

    private AccessLists() {}

    /** @param emptyAdmitsNone whether an enabled list without allowed entries admits no user; otherwise it admits all */
    public static Access of(final PbsObject queue, final boolean emptyAdmitsNone) {
        final Set<String> users = new HashSet<>();
        final Set<String> deniedUsers = new HashSet<>();
        read(queue, "acl_user_enable", "acl_users", users, deniedUsers, emptyAdmitsNone);
        final Set<String> groups = new HashSet<>();
        final Set<String> deniedGroups = new HashSet<>();
        read(queue, "acl_group_enable", "acl_groups", groups, deniedGroups, emptyAdmitsNone);
        return new Access(names(users), groups, Set.of(), names(deniedUsers), deniedGroups, Set.of(), null, null);
    }

    private static void read(
            final PbsObject queue,
            final String enabled,
            final String list,
            final Set<String> allowed,
            final Set<String> denied,
            final boolean emptyAdmitsNone) {
        if (!queue.is(enabled)) {
            return;
        }
        for (final Entry entry : Entry.list(queue.get(list, ""))) {
            (entry.allows ? allowed : denied).add(entry.name);
        }
        if (allowed.isEmpty() && emptyAdmitsNone) {
            allowed.add(NO_USER.value());
        }
    }

    private static Set<UserName> names(final Set<String> names) {
        final Set<UserName> users = new HashSet<>();
        names.forEach(name -> users.add(UserName.of(name)));
        return users;
    }

    /** An entry: {@code alice@*}, {@code +bob}, {@code -carol@login.site.org}. */
    private record Entry(boolean allows, String name) {
        private static List<Entry> list(final String list) {
            return Arrays.stream(list.split("[,\\s]+"))
                    .map(item -> new Entry(
                            !item.startsWith("-"),
                            item.replaceFirst("^[+-]", "").replaceFirst("@[^@]*$", "")))
                    .filter(entry -> entry.name.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.@+-]{0,127}\\$?"))
                    .toList();
        }
    }
}
