-- Events about a cluster are on Kafka topics of its own (ADR 38), so offsets are counted per topic name and ended runs per cluster.

alter table projection_offset
    modify column topic varchar(128) character set ascii collate ascii_bin not null;

alter table run_end
    drop index by_cluster,
    drop column cluster;
alter table run_end
    add column cluster varchar(63) character set ascii collate ascii_bin not null default '' first;
-- Runs of the topic that clusters shared keep their order, before all offsets of the new topics.
update run_end
    set cluster = substring_index(job_key, '/', 1),
        record_offset = (record_offset - 1099511627776) - partition_no * 1099511627776;
alter table run_end
    drop primary key,
    drop column partition_no,
    alter column cluster drop default,
    add primary key (cluster, record_offset),
    add index by_cluster (cluster, ended);

-- A cluster answers only the commands that it got, so an answer of another one does not hide its own.
alter table outcome
    add column cluster varchar(63) character set ascii collate ascii_bin not null default '' after is_answer;
update outcome set cluster = json_value(body, '$.cluster');
alter table outcome
    alter column cluster drop default,
    drop primary key,
    add primary key (command, is_answer, cluster);
