-- The read model of submit-service, a projection of the log. All tables can be dropped and rebuilt from the topics,
-- within their retention.
-- Names and ids are compared as bytes, because workload managers distinguish 'A' from 'a'. Times are UTC.

create table projection_offset (
    topic        varchar(64) character set ascii collate ascii_bin not null,
    partition_no int not null,
    next_offset  bigint not null,
    primary key (topic, partition_no)
) engine = InnoDB;

create table global_job (
    id        char(26) character set ascii collate ascii_bin not null primary key,
    owner     varchar(255) collate utf8mb4_bin not null,
    state     varchar(16) character set ascii collate ascii_bin not null,
    is_final  boolean not null,
    version   bigint not null,
    digest    char(64) character set ascii collate ascii_bin not null,
    submitted datetime(6) not null,
    since     datetime(6) not null,
    body      longtext not null,
    stop_body text,
    index by_time (submitted, id),
    index by_owner (owner, submitted, id),
    index by_state (is_final, since)
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

create table run_end (
    partition_no  int not null,
    record_offset bigint not null,
    job_key       varchar(400) collate utf8mb4_bin not null,
    job           char(26) character set ascii collate ascii_bin,
    ended         datetime(6) not null,
    body          longtext not null,
    primary key (partition_no, record_offset),
    index by_key (job_key),
    index by_job (job),
    index by_time (ended)
) engine = InnoDB default character set utf8mb4;

create table command (
    id     varchar(255) collate utf8mb4_bin not null primary key,
    issued datetime(6) not null,
    body   longtext not null,
    index by_time (issued)
) engine = InnoDB default character set utf8mb4;

-- The first Begun and the first answer of each command.
create table outcome (
    command     varchar(255) collate utf8mb4_bin not null,
    is_answer   boolean not null,
    answered_at datetime(6) not null,
    body        longtext not null,
    primary key (command, is_answer),
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
    local_state varchar(16) character set ascii collate ascii_bin,
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
