"""Submits a job with the generated client and waits for its end. Arguments: API, token, cluster, directory."""

import sys
import time

import millrace_client
from millrace_client.exceptions import ApiException

api, token, cluster, directory = sys.argv[1:]
configuration = millrace_client.Configuration(host=api, access_token=token)
with millrace_client.ApiClient(configuration) as client:
    jobs = millrace_client.JobsApi(client)
    submission = millrace_client.Submission(
        command=["/bin/echo", "hello from Python"], walltime="5", source=cluster, directory=directory
    )
    accepted = jobs.submit_job(submission, idempotency_key=f"clients-python-{time.time_ns()}")
    assert accepted.id is not None
    try:
        jobs.submit_job(submission.model_copy(update={"walltime": "-5"}))
        sys.exit("a submission with a negative walltime was not refused")
    except ApiException as refused:
        assert refused.status == 422 and '"walltime"' in (refused.body or ""), refused
    for _ in range(1200):
        job = jobs.show_job(accepted.id)
        if job.finished:
            assert job.outcome is not None, job
            print(f"{job.state} {job.id} exit code {job.outcome.exit_code}")
            break
        time.sleep(0.25)
    else:
        sys.exit(f"job {accepted.id} has not ended")
