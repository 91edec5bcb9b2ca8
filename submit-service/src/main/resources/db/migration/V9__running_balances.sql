-- From now on balances of open periods are stored too. This migration sums the existing lines once:
-- lines after the last closed period of their cluster; older lines are in balances already.

insert into ledger_balance (calendar, period, cluster, owner, project,
                            runs, charged_core_seconds, charged_gpu_seconds, refunded_core_seconds, refunded_gpu_seconds)
select 'week', l.week, l.cluster, l.owner, l.project,
       sum(l.kind = 'CHARGE'),
       sum(if(l.kind = 'CHARGE', l.core_seconds, 0)), sum(if(l.kind = 'CHARGE', l.gpu_seconds, 0)),
       sum(if(l.kind = 'REFUND', l.core_seconds, 0)), sum(if(l.kind = 'REFUND', l.gpu_seconds, 0))
from ledger_line l
left join (select cluster, max(until) as until from ledger_closing where calendar = 'week' group by cluster) closed
    on closed.cluster = l.cluster
where closed.until is null or l.booked >= closed.until
group by l.week, l.cluster, l.owner, l.project;

insert into ledger_balance (calendar, period, cluster, owner, project,
                            runs, charged_core_seconds, charged_gpu_seconds, refunded_core_seconds, refunded_gpu_seconds)
select 'month', l.month, l.cluster, l.owner, l.project,
       sum(l.kind = 'CHARGE'),
       sum(if(l.kind = 'CHARGE', l.core_seconds, 0)), sum(if(l.kind = 'CHARGE', l.gpu_seconds, 0)),
       sum(if(l.kind = 'REFUND', l.core_seconds, 0)), sum(if(l.kind = 'REFUND', l.gpu_seconds, 0))
from ledger_line l
left join (select cluster, max(until) as until from ledger_closing where calendar = 'month' group by cluster) closed
    on closed.cluster = l.cluster
where closed.until is null or l.booked >= closed.until
group by l.month, l.cluster, l.owner, l.project;

-- Sums per cluster no longer need the index on lines; balances get an index instead.
alter table ledger_line drop index by_cluster;
alter table ledger_balance add index by_cluster (cluster, calendar, period);
alter table ledger_closing add index by_calendar (calendar, cluster, period);
