package io.millrace.agent.exec;

import io.millrace.model.UserName;

/** A line of the account database. */
public record Account(UserName name, int uid, int gid, String home, String shell) {}
