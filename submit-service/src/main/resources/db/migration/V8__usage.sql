-- Indexes for queries of usage records by period and user, project or cluster; generated columns read the values from the body.

alter table run_end
    add column owner   varchar(255) collate utf8mb4_bin as (json_value(body, '$.owner')) virtual,
    add column project varchar(255) collate utf8mb4_bin as (json_value(body, '$.project')) virtual,
    add column cluster varchar(63) collate utf8mb4_bin as (substring_index(job_key, '/', 1)) virtual,
    add index by_owner (owner, ended),
    add index by_project (project, ended),
    add index by_cluster (cluster, ended);
