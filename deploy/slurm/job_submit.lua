-- Under directed control every new job is held, and only Millrace starts it.
--
-- Install beside slurm.conf with JobSubmitPlugins=lua. If the site has no job_submit.lua, use this name. Otherwise install this file as
-- millrace_gate.lua and add as the last line before `return slurm.SUCCESS` of the site's script:
--     dofile("/etc/slurm/millrace_gate.lua")
-- The site's functions run first; a request that they refuse is refused.
--
-- The file millrace.control in the same folder contains "directed" or "native". It is read at each submission, so the watchdog can switch
-- without a restart. A missing file means native, so that jobs do not wait for a Millrace that does not run.
--
-- A word in the job's AdminComment, which owners cannot change, records who holds the job:
--     millrace:entry@T       held by this script until Millrace starts it
--     millrace:submission@T  a global job that the agent submitted and has not released yet
--     millrace:start=N@T     released by Millrace (or an operator) after the N-th restart
--     millrace:user@T        held by its owner; millrace:operator@T: by an operator; Millrace never releases these holds
--     millrace:free@T        submitted under native control
-- T is the submit time (seconds since 1970). Slurm changes it at a requeue, and Millrace uses it to distinguish jobs with the same id.
-- Other words in AdminComment are preserved.

local HELD = 2042 -- ESLURM_JOB_HELD: "Job is in held state, pending scheduler release"
local UNCHANGED = 4294967294 -- NO_VAL: the request does not change the priority
local FAR_AWAY = 4102444800 -- 2100-01-01: a begin time by which the agent recognises requests that this script encoded
local OPERATOR_HOLDS = FAR_AWAY + 1 -- a request of an operator without permission to write AdminComment; see operator_modifies
local OPERATOR_RELEASES = FAR_AWAY + 2
local PENDING = 0 -- JOB_PENDING
local TAG = "^%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%w%.%d+$" -- ULID.attempt

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"

local function directed()
    local file = io.open(here .. "millrace.control", "r")
    if not file then
        return false
    end
    local word = file:read("*l") or ""
    file:close()
    return word:match("^%s*directed%s*$") ~= nil
end

local function mark(admin_comment)
    local word, submitted = (" " .. (admin_comment or "") .. " "):match(" millrace:(%S-)@(%d+) ")
    return word, submitted
end

local function with_mark(admin_comment, word, submitted)
    local others = (admin_comment or ""):gsub("%s*millrace:%S+", ""):gsub("^%s+", ""):gsub("%s+$", "")
    local mine = string.format("millrace:%s@%d", word, submitted)
    return others == "" and mine or others .. " " .. mine
end

local function gate_submit(job)
    local word = "free"
    if job.priority == 0 then
        word = (job.comment or ""):match(TAG) and "submission" or "user"
    elseif directed() then
        job.priority = 0
        word = "entry"
    end
    job.admin_comment = with_mark(job.admin_comment, word, os.time())
    return slurm.SUCCESS
end

-- A request of the owner. It cannot set AdminComment, so the begin time encodes the request until the agent has polled the job: held and
-- FAR_AWAY is the owner's hold; not held and FAR_AWAY waits for Millrace.
local function owner_modifies(job, record)
    local word = mark(record.admin_comment)
    local held = record.priority == 0
    local asks_hold = job.priority == 0
    local asks_release = not asks_hold and job.priority ~= UNCHANGED
    if held and asks_release and word == "submission" then
        return HELD
    end
    if not directed() or word == "submission" then
        return slurm.SUCCESS
    end
    if held and asks_release and word == "entry" then
        return HELD
    end
    if asks_hold or (held and asks_release) then
        job.begin_time = FAR_AWAY
    elseif not held and (job.begin_time or 0) ~= 0 and record.job_state == PENDING then
        return HELD -- would overwrite that begin time
    end
    return slurm.SUCCESS
end

-- A hold or release by an operator. The agent sets its mark in AdminComment in the same request or earlier, so its requests differ from an
-- operator's. Only administrators may write AdminComment: Slurm would refuse the whole request of an operator or account coordinator. Only root is
-- certain to be an administrator, so the begin time encodes the requests of others until the agent has polled the job. Under native control the
-- hold itself suffices.
local function operator_modifies(job, record, uid)
    if job.priority == UNCHANGED or job.admin_comment ~= nil then
        return
    end
    local word, submitted = mark(record.admin_comment)
    submitted = submitted or record.submit_time
    local holds = job.priority == 0
    local releases = not holds and record.priority == 0 and word ~= nil and not word:match("^start=")
    if uid ~= 0 then
        if directed() and record.job_state == PENDING and (holds or releases) then
            job.begin_time = holds and OPERATOR_HOLDS or OPERATOR_RELEASES
        end
    elseif holds then
        job.admin_comment = with_mark(record.admin_comment, "operator", submitted)
    elseif releases then
        job.admin_comment = with_mark(record.admin_comment, string.format("start=%d", record.restart_cnt or 0), submitted)
    end
end

local function gate_modify(job, record, uid)
    if uid == record.user_id and uid ~= 0 then
        return owner_modifies(job, record)
    end
    operator_modifies(job, record, uid)
    return slurm.SUCCESS
end

local site_submit, site_modify = slurm_job_submit, slurm_job_modify

function slurm_job_submit(job, partitions, uid)
    local answer = site_submit and site_submit(job, partitions, uid) or slurm.SUCCESS
    if answer ~= slurm.SUCCESS then
        return answer
    end
    return gate_submit(job)
end

function slurm_job_modify(job, record, partitions, uid)
    local answer = site_modify and site_modify(job, record, partitions, uid) or slurm.SUCCESS
    if answer ~= slurm.SUCCESS then
        return answer
    end
    return gate_modify(job, record, uid)
end

return slurm.SUCCESS
