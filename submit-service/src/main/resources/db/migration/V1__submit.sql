-- The read model of submit-service, a projection of the log, and the ledger. The tables of the read model can be dropped and rebuilt
-- from the topics, within their retention.
-- Names and ids are compared as bytes, because workload managers distinguish 'A' from 'a'. Times are UTC.

create table projection_offset (
    topic        varchar(128) character set ascii collate ascii_bin not null,
    partition_no int not null,
    next_offset  bigint not null,
    primary key (topic, partition_no)
) engine = InnoDB;

create table global_job (
    id        char(26) character set ascii collate ascii_bin not null primary key,
    number    bigint not null,
    task      int,
    owner     varchar(255) collate utf8mb4_bin not null,
    state     varchar(16) character set ascii collate ascii_bin not null,
    stage     varchar(16) character set ascii collate ascii_bin not null,
    is_final  boolean not null,
    version   bigint not null,
    digest    char(64) character set ascii collate ascii_bin not null,
    submitted datetime(6) not null,
    since     datetime(6) not null,
    body      longtext not null,
    stop_body text,
    index by_number (number, task),
    index by_time (submitted, id),
    index by_owner (owner, submitted, id),
    index by_state (is_final, since),
    -- lists of jobs in a state, newest first
    index by_state_time (state, submitted, id),
    index by_owner_state (owner, state, submitted, id)
) engine = InnoDB default character set utf8mb4;

create table local_job (
    job_key varchar(400) collate utf8mb4_bin not null primary key,
    cluster varchar(63) character set ascii collate ascii_bin not null,
    owner   varchar(255) collate utf8mb4_bin not null,
    state   varchar(16) character set ascii collate ascii_bin not null,
    cores   int not null,
    attempt varchar(40) character set ascii collate ascii_bin,
    body    longtext not null,
    index by_cluster (cluster, owner, state)
) engine = InnoDB default character set utf8mb4;

create table cluster (
    name        varchar(63) character set ascii collate ascii_bin not null primary key,
    recorded_at datetime(6) not null,
    body        longtext not null
) engine = InnoDB default character set utf8mb4;

-- The newest event per key of the compacted topics that have no separate table.
create table fact (
    topic    varchar(64) character set ascii collate ascii_bin not null,
    fact_key varchar(480) collate utf8mb4_bin not null,
    type     varchar(32) character set ascii collate ascii_bin not null,
    about    varchar(400) collate utf8mb4_bin not null,
    cluster  varchar(63) character set ascii collate ascii_bin,
    written  datetime(6) not null,
    body     longtext not null,
    primary key (topic, fact_key),
    index by_about (about, type),
    index by_cluster (cluster, type)
) engine = InnoDB default character set utf8mb4;

-- Generated columns read the values of queries of usage records from the body.
create table run_end (
    cluster       varchar(63) character set ascii collate ascii_bin not null,
    record_offset bigint not null,
    job_key       varchar(400) collate utf8mb4_bin not null,
    job           char(26) character set ascii collate ascii_bin,
    ended         datetime(6) not null,
    body          longtext not null,
    owner         varchar(255) collate utf8mb4_bin as (json_value(body, '$.owner')) virtual,
    project       varchar(255) collate utf8mb4_bin as (json_value(body, '$.project')) virtual,
    primary key (cluster, record_offset),
    index by_key (job_key),
    index by_job (job),
    index by_time (ended),
    index by_owner (owner, ended),
    index by_project (project, ended),
    index by_cluster (cluster, ended)
) engine = InnoDB default character set utf8mb4;

create table command (
    id     varchar(255) collate utf8mb4_bin not null primary key,
    issued datetime(6) not null,
    body   longtext not null,
    index by_time (issued)
) engine = InnoDB default character set utf8mb4;

-- The first Begun and the first answer of each command. A cluster answers only the commands that it got, so an answer of another one
-- does not hide its own.
create table outcome (
    command     varchar(255) collate utf8mb4_bin not null,
    is_answer   boolean not null,
    cluster     varchar(63) character set ascii collate ascii_bin not null,
    answered_at datetime(6) not null,
    body        longtext not null,
    primary key (command, is_answer, cluster),
    index by_time (answered_at)
) engine = InnoDB default character set utf8mb4;

-- The jobs that a command is about: its job, its victims, or the global job of its attempt or transfer.
create table command_about (
    about   varchar(400) collate utf8mb4_bin not null,
    command varchar(255) collate utf8mb4_bin not null,
    noted   datetime(6) not null,
    primary key (about, command),
    index by_time (noted)
) engine = InnoDB default character set utf8mb4;

-- The job change feed for server-sent events. Its single counter row is locked until commit, so that numbers become visible
-- in order across instances.
create table job_change (
    seq         bigint not null primary key,
    job         char(26) character set ascii collate ascii_bin not null,
    owner       varchar(255) collate utf8mb4_bin not null,
    state       varchar(16) character set ascii collate ascii_bin not null,
    stage       varchar(16) character set ascii collate ascii_bin not null,
    cluster     varchar(63) character set ascii collate ascii_bin,
    changed     datetime(6) not null,
    index by_owner (owner, seq),
    index by_time (changed)
) engine = InnoDB default character set utf8mb4;

create table feed (
    id   int not null primary key,
    last bigint not null
) engine = InnoDB;

insert into feed (id, last) values (1, 0);

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
    ended   datetime(6) null comment 'of a line booked late: when the run ended',
    job_class varchar(255) collate utf8mb4_bin null,
    class_permille bigint not null default 1000,
    primary key (entry, line),
    index by_time (booked),
    index by_owner (owner, booked),
    index by_project (project, booked)
) engine = InnoDB default character set utf8mb4;

-- Statements of closed periods are final.
-- A line belongs to an open period if it was booked at or after the end of the last closed period of its kind and cluster.
create table ledger_closing (
    cluster  varchar(63) character set ascii collate ascii_bin not null,
    calendar char(5) character set ascii collate ascii_bin not null,
    until    datetime(6) not null,
    period   char(8) character set ascii collate ascii_bin not null,
    closed   datetime(6) not null,
    primary key (cluster, calendar, until),
    index by_calendar (calendar, cluster, period)
) engine = InnoDB default character set utf8mb4;

-- The sums of the lines of a week or month. A year is the sum of its months and has no stored balances.
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
    index by_owner (owner, calendar, period),
    index by_cluster (cluster, calendar, period)
) engine = InnoDB default character set utf8mb4;
