package io.millrace.submit.domain.identity;

import io.millrace.model.UserName;
import java.util.Set;

/** Accounts of an operating system and of cluster software, which belong to no person. */
final class SystemAccounts {

    private static final Set<String> NAMES = Set.of(
            "adm",
            "apache",
            "avahi",
            "backup",
            "bin",
            "chrony",
            "daemon",
            "dbus",
            "dnsmasq",
            "ftp",
            "games",
            "gdm",
            "gnats",
            "halt",
            "irc",
            "kafka",
            "ldap",
            "lightdm",
            "list",
            "lp",
            "lsfadmin",
            "mail",
            "man",
            "messagebus",
            "millrace",
            "munge",
            "mysql",
            "named",
            "news",
            "nginx",
            "nobody",
            "nslcd",
            "ntp",
            "operator",
            "pbsdata",
            "polkitd",
            "postfix",
            "postgres",
            "proxy",
            "root",
            "rpc",
            "rpcuser",
            "shutdown",
            "slurm",
            "sshd",
            "sssd",
            "sync",
            "sys",
            "syslog",
            "tcpdump",
            "tomcat",
            "tss",
            "uucp",
            "uuidd",
            "www-data");

    private SystemAccounts() {}

    static boolean contains(final UserName user) {
        final String name = user.value();
        return NAMES.contains(name) || name.startsWith("_") || name.startsWith("systemd-");
    }
}
