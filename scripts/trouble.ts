import { parseArgs } from 'node:util'
import { runTrouble } from '../e2e/src/trouble/run.ts'
import { ensureTestNeeds } from './test-needs.ts'

// npm run trouble -- --minutes 30 --seed 7: three servers in trouble beside devices and people; prints each
// trouble, what was done, and every invariant that was broken. Ends with 1 if there is one. With --logs a
// folder gets what the servers printed.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    logs: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
if (!(minutes > 0) || !Number.isInteger(seed)) {
  process.stderr.write('For example: npm run trouble -- --minutes 30 --seed 7\n')
  process.exit(2)
}
ensureTestNeeds()
// What was started and mounted ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const began = Date.now()
const say = (text: string) => {
  const seconds = ((Date.now() - began) / 1_000).toFixed(1).padStart(7)
  process.stdout.write(`${seconds} s  ${text}\n`)
}
const { faults, figures } = await runTrouble({
  seed,
  seconds: minutes * 60,
  say,
  logs: values.logs,
})
for (const [what, count] of [...figures].toSorted()) say(`${String(count).padStart(9)}  ${what}`)
say(`${faults.length} broken invariants; this run again: --minutes ${minutes} --seed ${seed}`)
for (const fault of faults) say(fault)
process.exit(faults.length === 0 ? 0 : 1)
