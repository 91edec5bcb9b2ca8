"""PBS hook: appends a line to a file for each job event, so that Millrace's agent polls at once.

The server runs it for the events queuejob, modifyjob, movejob, runjob and, if the version has it, jobobit (the end of a run). Older
versions report the end of a run on the nodes only (execjob_end); the file must then be on a file system shared by the server and all
nodes. A line is only a hint: it can precede the change itself or be lost. The agent also polls periodically.

The hook's configuration, millrace_events.json, names the file. The hook truncates the file when it exceeds 1 MiB. Errors are logged,
and the event is accepted in any case.
"""

import json
import os
import time

import pbs

LARGEST = 1 << 20
FILE = "/var/spool/pbs/millrace.events"


def events_file():
    path = os.environ.get("PBS_HOOK_CONFIG_FILE") or getattr(pbs, "hook_config_filename", None)
    if not path:
        return FILE
    with open(path) as config:
        return str(json.load(config).get("file", FILE))


def add(path, line):
    # This runs as root: do not follow links.
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    handle = os.open(path, flags, 0o644)
    try:
        if os.fstat(handle).st_size > LARGEST:
            os.ftruncate(handle, 0)
        os.write(handle, line.encode("utf-8", "replace"))  # one write per line, so that lines do not interleave
    finally:
        os.close(handle)


event = pbs.event()
try:
    job = getattr(event, "job", None)
    name = str(getattr(job, "id", None) or "-")
    add(events_file(), "%d;%s;%s\n" % (time.time(), getattr(event, "type", "?"), name))
except Exception as error:  # e.g. a full disk, a missing folder, an attribute that this version lacks
    pbs.logmsg(pbs.LOG_WARNING, "millrace_events: event not reported to the agent: %s" % error)
event.accept()
