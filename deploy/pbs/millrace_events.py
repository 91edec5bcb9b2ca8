"""PBS hook: adds a line to a file whenever something happens to a job, so that Millrace's agent looks at once.

On the server for the events queuejob, modifyjob, movejob, runjob and, where the version has it, jobobit (a run is over; older versions
say that on the nodes alone, as execjob_end: for those the file must lie where the server's host and all nodes see it). What is written is a
hint: it may come before the change itself, and it may be lost; the agent's regular look sees the rest.

The file is named by the hook's configuration, millrace_events.json. It is emptied when it has grown beyond a mebibyte: nobody needs
old lines. Never keeps anything from happening: whatever goes wrong here is logged, and the event accepted.
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
    # No link is followed and nothing is made but a plain file: this runs as root.
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    handle = os.open(path, flags, 0o644)
    try:
        if os.fstat(handle).st_size > LARGEST:
            os.ftruncate(handle, 0)
        os.write(handle, line.encode("utf-8", "replace"))  # one write for one line: lines do not mix
    finally:
        os.close(handle)


event = pbs.event()
try:
    job = getattr(event, "job", None)
    name = str(getattr(job, "id", None) or "-")
    add(events_file(), "%d;%s;%s\n" % (time.time(), getattr(event, "type", "?"), name))
except Exception as error:  # whatever a version of PBS does not know, a full disk, a missing folder
    pbs.logmsg(pbs.LOG_WARNING, "millrace_events: the agent is not told: %s" % error)
event.accept()
