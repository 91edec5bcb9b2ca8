package io.millrace.agent.exec;

import io.millrace.model.UserName;

/** An entry of the account database, see passwd(5). */
public record Account(UserName name, int uid, int gid, String home, String shell) {}
