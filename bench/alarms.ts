import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { serialize } from 'bson'
import type { Device } from '../services/platform/src/devices/device.ts'
import { newDeviceId } from '../services/platform/src/platform-testing.ts'
import type { RuleEngine } from '../services/platform/src/rules/rule-engine.ts'
import { createIngest, defaultWindow } from '../services/platform/src/values/ingest.ts'
import { openJudging } from './alarms/judging.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- alarms [--devices=2500] [--values=200] [--turns=5]
const devices = argument('devices', 2_500)
const values = argument('values', 200)
const turns = argument('turns', 5)
const rulesOfEach = 2

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir: folder })
const ruleOf = (limit: number) => ({
  name: 'limit',
  scope: { model: 'Probe:1' },
  kind: 'condition',
  when: { path: 'Probe:1/value', op: '>', value: limit, clear: limit - 5 },
  levels: [{ severity: 3 }],
  onDelayMs: 1_000,
})
const judging = await openJudging({
  connection: postgres.connection,
  paths: ['value'],
  node: 1,
  rulesOf: (compiler) =>
    Array.from({ length: rulesOfEach }, () =>
      compiler.deviceRule({
        id: crypto.randomUUID(),
        version: 1,
        rule: ruleOf(90 + Math.random()),
        override: null,
      }),
    ),
})
const { engine, telemetry, directory, now, pool } = judging

/** Devices of one kind, and what takes their values. */
async function fleet(isJudged: boolean) {
  const durableListeners = new Set(
    isJudged ? [(...given: Parameters<RuleEngine['take']>) => engine.take(...given)] : [],
  )
  const ingest = createIngest({
    store: async () => telemetry,
    now,
    window: defaultWindow,
    durableListeners,
  })
  const all: Device[] = []
  for (let n = 0; n < devices; n += 1) {
    const device = await directory.get(newDeviceId())
    if (!device) throw new Error('there is a device')
    all.push(device)
    if (isJudged) engine.came(device)
  }
  // Loading is measured by alarm-memory.
  while (isJudged && all.some(({ rules }) => rules?.isBusy !== false)) await pause(10)
  return { ingest, all, t: Date.now() - 86_400_000 }
}
type Fleet = Awaited<ReturnType<typeof fleet>>

/** Values per second, from the message of the device until they are durable. */
async function send(one: Fleet): Promise<number> {
  const begun = performance.now()
  for (let n = 0; n < values; n += 1) {
    one.t += 1_000
    // One in a thousand is beyond the limit.
    const payload = (k: number) =>
      Buffer.from(
        serialize({ v: (k * 7 + n * 13) % 1_000 === 0 ? 99 : 50 + (k % 20), t: new Date(one.t) }),
      )
    await Promise.all(
      one.all.map(async (device, k) => {
        const [target] = device.byTopic.values()
        if (target) await one.ingest.value(target, '', payload(k))
      }),
    )
  }
  return (devices * values) / ((performance.now() - begun) / 1_000)
}

const plain = await fleet(false)
const judged = await fleet(true)
const median = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
await send(plain)
await send(judged)
const rates: { plain: number[]; judged: number[] } = { plain: [], judged: [] }
for (let turn = 0; turn < turns; turn += 1) {
  say(`turn ${turn + 1} of ${turns}`)
  const order = turn % 2 === 0 ? (['plain', 'judged'] as const) : (['judged', 'plain'] as const)
  for (const which of order) rates[which].push(await send(which === 'plain' ? plain : judged))
}
const { rows } = await pool.query<{ count: number }>(
  `select count(*)::int as count from bus.event where topic = 'platform.rule_changed'`,
)
print(
  `${devices * rulesOfEach} rules, ${rulesOfEach} on every value, ${rows[0]?.count ?? 0} changes published`,
  [
    {
      what: 'values a second, judged by rules',
      unit: '1/s',
      ours: median(rates.judged),
      peers: { 'without rules': median(rates.plain) },
      better: 'more',
      goal: '0.93 × without',
    },
  ],
)
await judging.close()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
