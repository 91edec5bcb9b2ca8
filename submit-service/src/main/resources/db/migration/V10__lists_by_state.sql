-- Indexes for lists of jobs in a state, newest first.

alter table global_job
    add index by_state_time (state, submitted, id),
    add index by_owner_state (owner, state, submitted, id);
