package io.millrace.quota.domain.quota;

import static io.millrace.quota.domain.QuotaScenario.ALPHA;
import static io.millrace.quota.domain.QuotaScenario.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.quota.Quota;
import io.millrace.quota.domain.quota.QuotaRequests.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** changes of quotas. */
class ActiveQuotasTest {

    private static final UserName ANNA = UserName.of("anna");
    private static final UserName OP = UserName.of("op");

    private final ActiveQuotas book = new ActiveQuotas(0);

    /** */
    @Test
    void a_first_quota_is_based_on_version_zero() {
        assertThat(QuotaRequests.answer(asked(8, 0), book))
                .isEqualTo(new Answer.Granted(new Quota(ANNA, ALPHA, 8, OP, "deadline", NOON, 1)));
        assertThat(QuotaRequests.answer(asked(8, 1), book)).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void a_negative_quota_is_refused() {
        assertThat(QuotaRequests.answer(asked(-3, 0), book))
                .isEqualTo(new Answer.Refused(asked(-3, 0), "a quota cannot be negative: -3 cores"));
    }

    @Test
    void a_quota_with_too_many_cores_is_refused() {
        assertThat(QuotaRequests.answer(asked(Integer.MAX_VALUE, 0), book))
                .isInstanceOfSatisfying(
                        Answer.Refused.class, no -> assertThat(no.reason()).contains("are too many: use at most"));
    }

    /** */
    @Test
    void a_quota_is_removed_by_a_request_that_is_based_on_the_version_in_force() {
        final Quota set = new Quota(ANNA, ALPHA, 8, OP, "deadline", NOON, 2);
        book.put(set);

        assertThat(QuotaRequests.answer(asked(null, 2), book)).isEqualTo(new Answer.Removed(set));
        assertThat(QuotaRequests.answer(asked(null, 1), book)).isInstanceOf(Answer.Refused.class);
    }

    /** */
    @Test
    void neither_a_missing_quota_nor_one_of_the_file_is_removed_by_a_request() {
        assertThat(QuotaRequests.answer(asked(null, 0), book))
                .isEqualTo(
                        new Answer.Refused(asked(null, 0), "there is no quota alpha/anna to remove; see mgquota show"));
        book.put(new Quota(ANNA, ALPHA, 4, QuotaFileMerge.FILE, "from the quota file", NOON, 3));
        assertThat(QuotaRequests.answer(asked(null, 3), book))
                .isInstanceOfSatisfying(
                        Answer.Refused.class, no -> assertThat(no.reason()).contains("comes from the quota file"));
    }

    @Test
    void the_guarantee_of_a_cluster_is_the_sum_of_its_users_quotas() {
        book.put(new Quota(ANNA, ALPHA, 8, OP, "r", NOON, 1));
        book.put(new Quota(OP, ALPHA, 4, OP, "r", NOON, 1));
        book.put(new Quota(ANNA, ClusterId.of("beta"), 16, OP, "r", NOON, 1));
        assertThat(book.guaranteedOn(ALPHA, NOON)).isEqualTo(12);
    }

    /** */
    @Test
    void the_file_adds_changes_and_removes_its_own_quotas() {
        book.put(new Quota(ANNA, ALPHA, 4, QuotaFileMerge.FILE, "from the quota file", NOON, 3));
        book.put(new Quota(OP, ALPHA, 4, QuotaFileMerge.FILE, "from the quota file", NOON, 1));

        final QuotaFileMerge merge =
                QuotaFileMerge.of(QuotaFileContent.of(new QuotaFileEntry(ALPHA, ANNA, 6)), book, NOON);

        assertThat(merge.put())
                .extracting(Quota::cores, Quota::version)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(6, 4L));
        assertThat(merge.removed()).containsExactly("alpha/op");
        assertThat(QuotaFileMerge.of(QuotaFileContent.of(new QuotaFileEntry(ALPHA, ANNA, 4)), book, NOON)
                        .put())
                .isEmpty();
    }

    /** */
    @Test
    void the_file_neither_changes_nor_removes_quotas_set_by_a_request() {
        book.put(new Quota(ANNA, ALPHA, 8, OP, "deadline", NOON, 2));

        final QuotaFileEntry line = new QuotaFileEntry(ALPHA, ANNA, 4);
        assertThat(QuotaFileMerge.of(QuotaFileContent.of(line), book, NOON))
                .isEqualTo(new QuotaFileMerge(List.of(), List.of(), List.of(), List.of(line)));
        assertThat(QuotaFileMerge.of(QuotaFileContent.of(), book, NOON).removed())
                .isEmpty();
    }

    private static QuotaRequested asked(final @Nullable Integer cores, final long basedOn) {
        return new QuotaRequested(ANNA, ALPHA, cores, OP, "deadline", basedOn, NOON, null, null);
    }
}
