import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

// Writes how long test files take, from the report that the last `npm test` left, or another one that is
// named. Files that the report does not hold keep their figure.

/** Seconds below which the order of a file makes no difference. */
const least = 5
const root = path.join(import.meta.dirname, '..')
const file = path.join(root, 'scripts/test-durations.json')

type Report = { testResults: { name: string; startTime: number; endTime: number }[] }

const [report = path.join(root, 'node_modules/.cache/tests.json')] = process.argv.slice(2)
const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
const known = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>
const measured = testResults.map(({ name, startTime, endTime }) => [
  path.relative(root, name),
  Math.round((endTime - startTime) / 1000),
])
const durations = Object.entries<number>({ ...known, ...Object.fromEntries(measured) })
const kept = durations.filter(([, seconds]) => seconds >= least)
kept.sort(([one, a], [other, b]) => b - a || one.localeCompare(other))
await writeFile(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
