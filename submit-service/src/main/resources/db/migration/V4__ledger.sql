-- The cost of ended runs in double-entry bookkeeping: each row moves an amount from the credited to the debited account.
-- entry identifies a run: 5 bytes of its submit time, so that new rows are adjacent, and 11 bytes of a digest over job key and run. A
-- run can be booked only once.
-- Rows are never deleted, although the log has a retention.

create table ledger_line (
    booked  datetime(6) not null,
    entry   binary(16) not null,
    line    tinyint not null,
    kind    varchar(8) character set ascii collate ascii_bin not null,
    cluster varchar(63) character set ascii collate ascii_bin not null,
    owner   varchar(255) collate utf8mb4_bin not null,
    project varchar(255) collate utf8mb4_bin not null,
    week    char(8) character set ascii collate ascii_bin not null,
    month   char(7) character set ascii collate ascii_bin not null,
    year    char(4) character set ascii collate ascii_bin not null,
    rate_permille bigint not null,
    debit   varchar(520) collate utf8mb4_bin not null,
    credit  varchar(520) collate utf8mb4_bin not null,
    core_seconds  bigint not null,
    gpu_seconds   bigint not null,
    job_key varchar(400) collate utf8mb4_bin not null,
    run     int not null,
    primary key (entry, line),
    index by_time (booked),
    index by_owner (owner, booked),
    index by_project (project, booked)
) engine = InnoDB default character set utf8mb4;
