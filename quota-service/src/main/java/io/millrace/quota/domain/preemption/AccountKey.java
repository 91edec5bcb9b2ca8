package io.millrace.quota.domain.preemption;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import org.jspecify.annotations.Nullable;

/**
 * Identifies jobs that are counted together.
 *
 * @param project null if no quota applies to the project of the jobs; all such jobs of a user form one account
 */
public record AccountKey(UserName owner, @Nullable ProjectName project) {}
