package io.millrace.agent.wlm;

import java.util.List;

/** What a line of an accounting file is to an import. A line that is none of these is malformed. */
public sealed interface AccountingLine {

    AccountingLine HEADER = new Header();
    AccountingLine DETAIL = new Detail();
    AccountingLine REPEATED = new Repeated();

    /** Names columns, describes the file, or is empty. */
    record Header() implements AccountingLine {}

    /** About a job, but no run ended: a step, a start, an attribute, a job that has not ended, the record of a whole array. */
    record Detail() implements AccountingLine {}

    /** Equal to an earlier line about the end of a run, as in joined files. */
    record Repeated() implements AccountingLine {}

    /** The end of runs: of this line, or of lines that were {@link Detail} until this one completed them. A run without a start never ran. */
    record End(List<EndedJob> jobs) implements AccountingLine {

        public End {
            jobs = List.copyOf(jobs);
        }
    }

    static AccountingLine end(final EndedJob job) {
        return new End(List.of(job));
    }
}
