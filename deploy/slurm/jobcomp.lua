-- Writes one line of JSON per ended run, so that Millrace's agent knows how runs ended on clusters without slurmdbd.
--
-- Install beside slurm.conf with JobCompType=jobcomp/lua. The lines go to millrace.ends in the same folder, which may be a symbolic link. Let
-- logrotate keep one older file as millrace.ends.1; the agent reads both. A requeued run ends too: it has "state":"REQUEUED" (or "PREEMPTED",
-- "NODE_FAIL"), and its job continues. The limit is in minutes, unlimited is a number near 2^32; "tres" uses Slurm's numbers: 1 cores, 2 MiB of
-- memory, 4 nodes.

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"

local STATES = { -- enum job_states of slurm.h
    [1] = "RUNNING", [2] = "SUSPENDED", [3] = "COMPLETED", [4] = "CANCELLED", [5] = "FAILED", [6] = "TIMEOUT",
    [7] = "NODE_FAIL", [8] = "PREEMPTED", [9] = "BOOT_FAIL", [10] = "DEADLINE", [11] = "OUT_OF_MEMORY",
}
local REQUEUE, STATE_BITS = 1024, 256
local NO_VAL = 4294967294

local function state(number)
    if math.floor(number / REQUEUE) % 2 == 1 then
        return "REQUEUED"
    end
    return STATES[number % STATE_BITS] or string.format("UNKNOWN_%d", number)
end

local function quoted(text)
    return '"' .. (text or ""):gsub('[%c"\\\127]', function(char)
        return string.format("\\u%04x", char:byte())
    end) .. '"'
end

-- Numbers are written with %d: some builds of Slurm and Lua 5.3 and newer have them as floats, which tostring would write as 38.0.
local function local_id(job)
    if (job.array_job_id or 0) == 0 then
        return string.format("%d", job.job_id)
    end
    if job.array_task_id == NO_VAL then
        return string.format("%d", job.array_job_id)
    end
    return string.format("%d_%d", job.array_job_id, job.array_task_id)
end

-- A requeue changes the job's submit time; the gate noted the first one.
local function submitted(job)
    return tonumber((job.admin_comment or ""):match("millrace:%S-@(%d+)")) or job.submit_time or 0
end

local function line(job)
    -- The id comes first: the agent picks lines by their beginning.
    return string.format(
        '{"job":"%s","submitted":%d,"tag":%s,"state":"%s","exit":%d,"started":%d,"ended":%d,"restarts":%d,'
            .. '"cores":%d,"nodes":%s,"uid":%d,"partition":%s,"account":%s,"limit":%d,"tres":%s,"het":%d,"component":%d,'
            .. '"name":%s}\n',
        local_id(job), submitted(job), quoted(job.comment), state(job.job_state), job.exit_code or 0,
        job.start_time or 0, job.end_time or 0, job.restart_cnt or 0, job.total_cpus or 0, quoted(job.nodes), job.user_id or 0,
        quoted(job.partition), quoted(job.account), job.time_limit or NO_VAL, quoted(job.tres_alloc_str or job.tres_req_str),
        job.het_job_id or 0, (job.het_job_id or 0) == 0 and 0 or job.het_job_offset or 0, quoted(job.name))
end

function slurm_jobcomp_log_record(job)
    local file, why = io.open(here .. "millrace.ends", "a")
    if not file then
        slurm.log_error("millrace: cannot note the end of job %s: %s", tostring(job.job_id), tostring(why))
        return slurm.ERROR
    end
    file:write(line(job)) -- one write for one line: lines do not mix
    file:close()
    return slurm.SUCCESS
end

return slurm.SUCCESS
