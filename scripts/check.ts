import { runTogether } from './run-together.ts'
import { checks } from './steps.ts'

// Everything but the tests: format, style sheets, wording, messages, boundaries, types, lint.
const failure = await runTogether(checks)
if (failure) process.stdout.write(`\n${failure.name} failed\n`)
process.exitCode = failure?.code ?? 0
