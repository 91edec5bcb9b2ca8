// Submits a job with the generated client and waits for its end. Arguments: API, token, cluster, directory.
import { Configuration, JobsApi, ResponseError, type Submission } from './client/index.js';

const [basePath, accessToken, source, directory] = process.argv.slice(2) as [string, string, string, string];
const jobs = new JobsApi(new Configuration({ basePath, accessToken }));

const submission: Submission = { command: ['/bin/echo', 'hello from TypeScript'], walltime: '5', source, directory };
const accepted = await jobs.submitJob({ submission, idempotencyKey: `clients-typescript-${Date.now()}` });
try {
    await jobs.submitJob({ submission: { ...submission, walltime: '-5' } });
    throw new Error('a submission with a negative walltime was not refused');
} catch (refused) {
    if (!(refused instanceof ResponseError) || refused.response.status !== 422 || !(await refused.response.text()).includes('"walltime"')) {
        throw refused;
    }
}
let job = accepted;
for (let poll = 0; poll < 1200 && !job.finished; poll++) {
    await new Promise(resolve => setTimeout(resolve, 250));
    job = await jobs.showJob({ id: accepted.id! });
}
if (!job.finished) {
    throw new Error(`job ${job.id} has not ended`);
}
console.log(`${job.state} ${job.id} exit code ${job.outcome?.exitCode}`);
