-- Millrace's gate: under directed control every job enters held, and only Millrace lets it start.
--
-- Install beside slurm.conf with JobSubmitPlugins=lua, under this name where the site has no job_submit.lua of its own.
-- A site that has one keeps it as it is and adds as its last line before `return slurm.SUCCESS`:
--     dofile("/etc/slurm/millrace_gate.lua")
-- The site's own functions run first; what they refuse stays refused.
--
-- Who starts jobs stands in the file millrace.control beside this one, read at each submission, so that the watchdog
-- switches without a restart: "directed" or "native". No file means native: users never wait for a Millrace that is not there.
--
-- Millrace's holds are told from everybody else's by a word in the job's AdminComment, which owners cannot change:
--     millrace:entry@T       held at the gate
--     millrace:submission@T  a global job handed in by the agent and not yet let go
--     millrace:start=N@T     let go by Millrace (or an operator) after the N-th restart
--     millrace:user@T        held by its owner; millrace:operator@T: by an operator; Millrace never lifts these
--     millrace:free@T        came in under native control
-- T is the time of submission (seconds since 1970): Slurm forgets it when a job is requeued, and Millrace tells a job
-- from a later one with the same id by it. Other words in AdminComment are left as they are.

local HELD = 2042 -- ESLURM_JOB_HELD: "Job is in held state, pending scheduler release"
local UNCHANGED = 4294967294 -- NO_VAL: this request does not speak of the priority
local FAR_AWAY = 4102444800 -- 2100-01-01: a begin time that the agent recognises as this gate's
local OPERATOR_HOLDS = FAR_AWAY + 1 -- what an operator means who may not write AdminComment; see operator_modifies
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

-- The owner asks. AdminComment cannot be set on an owner's request, so what the owner means is noted by the begin time
-- until the agent has seen the job: held and far away is the owner's hold; not held and far away waits at the gate.
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
        return HELD -- would slip past that begin time
    end
    return slurm.SUCCESS
end

-- An operator's own hold or release, told from the agent's by the agent's naming its mark in the same request or before.
-- AdminComment is an administrator's: on the request of a mere operator (or of an account's coordinator) Slurm would refuse
-- it and the hold with it. As only root is sure to be one, what others mean is noted by the begin time until the agent has
-- seen the job; under native control there is nothing to note but the hold itself.
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
        job.admin_comment = with_mark(record.admin_comment, "start=" .. tostring(record.restart_cnt or 0), submitted)
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
