-- Closed periods have stored sums, so that their statements are final and need few rows.
-- A line belongs to an open period if it was booked at or after the end of the last closed period of its kind and cluster.
-- A year is the sum of its months and has no stored balances.

alter table ledger_line
    add column ended datetime(6) null comment 'of a line booked late: when the run ended',
    add column job_class varchar(255) collate utf8mb4_bin null,
    add column class_permille bigint not null default 1000,
    add index by_cluster (cluster, booked);

create table ledger_closing (
    cluster  varchar(63) character set ascii collate ascii_bin not null,
    calendar char(5) character set ascii collate ascii_bin not null,
    until    datetime(6) not null,
    period   char(8) character set ascii collate ascii_bin not null,
    closed   datetime(6) not null,
    primary key (cluster, calendar, until)
) engine = InnoDB default character set utf8mb4;

create table ledger_balance (
    calendar char(5) character set ascii collate ascii_bin not null,
    period   char(8) character set ascii collate ascii_bin not null,
    cluster  varchar(63) character set ascii collate ascii_bin not null,
    owner    varchar(255) collate utf8mb4_bin not null,
    project  varchar(255) collate utf8mb4_bin not null,
    runs     bigint not null,
    charged_core_seconds  bigint not null,
    charged_gpu_seconds   bigint not null,
    refunded_core_seconds bigint not null,
    refunded_gpu_seconds  bigint not null,
    primary key (calendar, period, cluster, owner, project),
    index by_owner (owner, calendar, period)
) engine = InnoDB default character set utf8mb4;
