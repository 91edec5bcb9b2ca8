// Prints the errors and warnings that the parser of AsyncAPI finds in a document; exit code 1 if there are any.
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
const severities = ['error', 'warning'];
const found = diagnostics.filter(diagnostic => diagnostic.severity < severities.length);
for (const { severity, path, message } of found) {
    console.error(`${severities[severity]}: ${path.join('/')}: ${message}`);
}
process.exitCode = found.length ? 1 : 0;
