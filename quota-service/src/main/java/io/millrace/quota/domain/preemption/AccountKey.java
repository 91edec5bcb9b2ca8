package io.millrace.quota.domain.preemption;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import org.jspecify.annotations.Nullable;

/**
 * Whose jobs are counted together.
 *
 * @param project null where no quota stands above the project of the jobs: then all of the user's jobs without such a quota are one
 */
public record AccountKey(UserName owner, @Nullable ProjectName project) {}
