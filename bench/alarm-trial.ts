import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { openTelemetry } from '@longreach/telemetry/store'
import Fastify from 'fastify'
import { createDirectory } from '../services/platform/src/devices/device-directory.ts'
import { configurationText, newDeviceId } from '../services/platform/src/platform-testing.ts'
import { createRuleCompiler } from '../services/platform/src/rules/device-rule.ts'
import { TrialBudget, tryRuleOn } from '../services/platform/src/rules/rule-attempt.ts'
import { openTrialServer } from './alarms/trial-by-http.ts'
import { hasVmalert, openReplay } from './alarms/vmalert.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- alarm-trial [--days=30] [--turns=5]
// A rule tried on one-second values, in the process and by its call at a whole server, beside reading them alone
// and beside `vmalert -replay` of a rule with the same limit and delay on VictoriaMetrics.
const days = argument('days', 30)
const turns = argument('turns', 5)
const org = 'bench'
const dayMs = 86_400_000
const atOnce = 50_000

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir: folder })
const { pool, close } = openDatabase({ ...postgres.connection, max: 10 }, () => undefined) // it stops after the bench
const telemetry = await openTelemetry({ pool })
const facts = {
  label: '',
  realm: 'bench',
  orgResourceId: org,
  groups: [],
  configuration: configurationText({ value: { type: 'double' } }),
  facts: [],
}
const deviceForPlatform = async ({ params: { deviceId } }: { params: { deviceId: string } }) => ({
  deviceId,
  ...facts,
})
const directory = createDirectory({
  mappings: { deviceForPlatform: Object.assign(deviceForPlatform, { key: 'bench' }) } as never, // the one call that is made
  log: Fastify().log,
  moved: async () => undefined, // no device moves here
  read: () => undefined,
})
const device = await directory.get(newDeviceId())
if (!device) throw new Error('there is a device')
const [modelPath = ''] = device.byPath.keys()
const series = await telemetry.seriesOf(org, device.id, modelPath, 'double')
const to = Math.floor(Date.now() / dayMs) * dayMs
const from = to - days * dayMs
const count = (days * dayMs) / 1_000
const replaying = hasVmalert() ? await openReplay() : undefined
if (!replaying) say("no peer: Debian's package victoria-metrics with vmalert is missing")
for (let at = 0; at < count; at += atOnce) {
  const size = Math.min(atOnce, count - at)
  const t = Array.from({ length: size }, (_, n) => from + (at + n) * 1_000)
  const v = t.map((_, n) => valueOf(at + n))
  await telemetry.append({ series: t.map(() => series), t, v })
  await replaying?.append(t, v)
}
await replaying?.settle()
const server = await openTrialServer({ count, from, valueOf })
say(`${count} values are stored`)

/** Value of a second: a wave of an hour with noise, over the limit for some minutes of each. */
function valueOf(n: number) {
  const wave = Math.sin(((from + n * 1_000) / 3_600_000) * 2 * Math.PI)
  return 70 + 25 * wave + ((n * 7) % 5)
}

const rule = createRuleCompiler().deviceRule({
  id: 'tried',
  version: 1,
  override: null,
  rule: {
    name: 'limit',
    scope: { model: 'Probe:1' },
    kind: 'condition',
    when: { path: modelPath, op: '>', value: 90, clear: 85 },
    levels: [{ severity: 3 }],
    onDelayMs: 10_000,
  },
})

/** Seconds of a trial of all values, and of reading them alone. */
async function trial() {
  const begun = performance.now()
  const budget = new TrialBudget({ values: 5_000_000, ms: 120_000 })
  const attempts = await tryRuleOn(
    {
      telemetry,
      device: device as NonNullable<typeof device>, // it is there
      mayRead: () => true,
      connections: [],
      range: { from, to },
      budget,
      signal: new AbortController().signal,
      saved: new Map(),
    },
    rule,
  )
  const seconds = (performance.now() - begun) / 1_000
  if (budget.values < count) throw new Error(`${budget.values} values were judged`)
  return { seconds, raised: attempts[0]?.occurrences.length ?? 0 }
}

async function readAlone() {
  const begun = performance.now()
  let read = 0
  for await (const page of telemetry.read(series, { since: from, to })) read += page.length
  if (read < count) throw new Error(`${read} values were read`)
  return (performance.now() - begun) / 1_000
}

const middle = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
await trial()
await readAlone()
await server.trial()
const times = {
  trial: [] as number[],
  http: [] as number[],
  read: [] as number[],
  replay: [] as number[],
}
let raised = 0
for (let turn = 0; turn < turns; turn += 1) {
  say(`turn ${turn + 1} of ${turns}`)
  const tried = await trial()
  raised = tried.raised
  times.trial.push(tried.seconds)
  times.read.push(await readAlone())
  times.http.push(await server.trial())
  // A replay takes so much longer that two of them are enough.
  if (replaying && turn < 2) times.replay.push(await replaying.replay({ from, to }))
}
if (replaying) {
  const found = await replaying.found()
  say(`the replay found ${found} alerts`)
  if (found < raised)
    throw new Error(`the replay found ${found} alerts, the trial ${raised} alarms`)
}
const peersOf = (of: (list: readonly number[]) => number) => ({
  'reading alone': of(times.read),
  'vmalert -replay': replaying && of(times.replay),
})
const line = (what: string, list: readonly number[], of: (all: readonly number[]) => number) => ({
  what,
  unit: 's',
  ours: of(list),
  peers: peersOf(of),
  better: 'less' as const,
})
const best = (list: readonly number[]) => Math.min(...list)
const goal = '2 s for 2.6 M values, ≤ 0.5 × vmalert'
print(`A rule tried on ${days} days of one-second values (${count}), ${raised} alarms`, [
  { ...line('trial (median)', times.trial, middle), goal },
  line('trial (best)', times.trial, best),
  { ...line('by its call (median)', times.http, middle), goal },
  line('by its call (best)', times.http, best),
])
await server.stop()
await replaying?.stop()
await telemetry.close()
await close()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
