import { setTimeout as pause } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Device } from '../../services/platform/src/devices/device.ts'
import { createIngest, defaultWindow } from '../../services/platform/src/values/ingest.ts'
import { openJudging } from './judging.ts'

// Process with states of rules, which the bench kills, the one after it, and one with the same values and no rules.

export type Wanted = {
  connection: PoolConfig
  role: 'first' | 'second' | 'plain'
  ids: readonly string[]
  rulesOfEach: number
}
export type Figures = {
  /** Memory that values and instances have added (bytes). */
  bytes: number
  loadS: number
  /** Instances with an open alarm. */
  open: number
}

const paths = Array.from({ length: 5 }, (_, n) => `value${n}`)
/** Values of each path before memory is measured: more than a ring holds. */
const valuesOfEach = 30

const collect = () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

process.once('message', (wanted: Wanted) => {
  void run(wanted)
})

async function run({ connection, role, ids, rulesOfEach }: Wanted) {
  const judging = await openJudging({
    connection,
    paths,
    node: role === 'first' ? 1 : 2,
    rulesOf: (compiler) =>
      // Half of them hold later, the other half never.
      Array.from({ length: rulesOfEach }, (_, n) =>
        compiler.deviceRule({
          id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
          version: 1,
          override: null,
          rule: {
            name: 'limit',
            scope: { model: 'Probe:1' },
            kind: 'condition',
            when: {
              path: `Probe:1/${paths[n % paths.length]}`,
              op: '>',
              value: n < rulesOfEach / 2 ? 90 : 900,
              clear: 85,
            },
            levels: [{ severity: 3 }],
          },
        }),
      ),
  })
  const devices: Device[] = []
  for (const id of ids) {
    const device = await judging.directory.get(id)
    if (device) devices.push(device)
  }
  if (role === 'second') process.send?.(await load(judging, devices))
  else await fill(judging, devices, role === 'first')
}

type Judging = Awaited<ReturnType<typeof openJudging>>

/** Loads the rules of devices, as when they connect at once. */
async function load({ engine }: Judging, devices: readonly Device[]) {
  const before = collect()
  const loading = performance.now()
  for (const device of devices) engine.came(device)
  while (devices.some(({ rules }) => rules?.loaded === undefined || rules.isBusy)) await pause(5)
  const loadS = (performance.now() - loading) / 1_000
  let open = 0
  for (const { rules } of devices) {
    for (const { state } of rules?.judged.values() ?? []) if (state.core.open) open += 1
  }
  return { before, loadS, open, bytes: 0 }
}

/** Loads instances if it is asked to, sends values, and has half of the instances raise an alarm. */
async function fill(judging: Judging, devices: readonly Device[], isJudged: boolean) {
  const { engine, telemetry, now } = judging
  const durable = (...given: Parameters<typeof engine.take>) => engine.take(...given)
  const ingest = createIngest({
    store: async () => telemetry,
    now,
    window: defaultWindow,
    durableListeners: new Set([durable]),
  })
  let t = Date.now() - 3_600_000
  const send = async (v: (n: number) => number) => {
    t += 1_000
    const at = t
    for (let from = 0; from < devices.length; from += 1_000) {
      await Promise.all(
        devices
          .slice(from, from + 1_000)
          .flatMap(({ byPath }) =>
            [...byPath.values()].map((target, n) => ingest.add(target, { t: at, v: v(n) })),
          ),
      )
    }
  }
  // The newest values are in memory before, as they are without rules.
  await send(() => 50)
  const { before, loadS } = isJudged
    ? await load(judging, devices)
    : { before: collect(), loadS: 0 }
  for (let n = 0; n < valuesOfEach; n += 1) await send((k) => 50 + ((n * 7 + k) % 20) / 10)
  await engine.caughtUp()
  const bytes = collect() - before
  if (!isJudged) {
    // In order, so that it leaves nothing to the next one.
    await judging.close()
    process.send?.({ bytes, loadS, open: 0 } satisfies Figures)
    return
  }
  await send(() => 99)
  await engine.caughtUp()
  const figures: Figures = { bytes, loadS, open: await written(judging) }
  process.send?.(figures)
}

/** Number of states that are stored, once no more come. */
async function written({ pool }: Judging) {
  for (let known = -1; ;) {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from platform.rule_state',
    )
    const count = rows[0]?.count ?? 0
    if (count === known && count > 0) return count
    known = count
    // On a busy machine a round takes longer than a second.
    await pause(5_000)
  }
}
