package io.millrace.quota.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;

/** One quota of the site's file. */
public record QuotaFileEntry(ClusterId on, UserName user, int cores) {

    public QuotaFileEntry {
        if (cores < 0) {
            throw new IllegalArgumentException("a quota cannot be negative: " + cores + " cores for " + user);
        }
    }

    public String key() {
        return on + "/" + user;
    }
}
