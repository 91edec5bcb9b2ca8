-- Usage records are asked for by period and user, project or cluster: what is asked by stands in the body, and is indexed from there.

alter table run_end
    add column owner   varchar(255) collate utf8mb4_bin as (json_value(body, '$.owner')) virtual,
    add column project varchar(255) collate utf8mb4_bin as (json_value(body, '$.project')) virtual,
    add column cluster varchar(63) collate utf8mb4_bin as (substring_index(job_key, '/', 1)) virtual,
    add index by_owner (owner, ended),
    add index by_project (project, ended),
    add index by_cluster (cluster, ended);
