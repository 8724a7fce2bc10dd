import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { migrated, openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createBus } from '@longreach/kit/events'
import { createProcesses } from '@longreach/kit/own-process'
import { openTelemetry } from '@longreach/telemetry/store'
import { serialize } from 'bson'
import Fastify from 'fastify'
import type { Kysely } from 'kysely'
import type { ServiceDb } from '../../services/platform/src/database.ts'
import { createDirectory } from '../../services/platform/src/devices/device-directory.ts'
import type { Device, DeviceRule } from '../../services/platform/src/devices/device.ts'
import { configurationText, newDeviceId } from '../../services/platform/src/platform-testing.ts'
import { createPolicyCompiler } from '../../services/platform/src/rules/device-policy.ts'
import { createRuleCompiler } from '../../services/platform/src/rules/device-rule.ts'
import { RuleEngine } from '../../services/platform/src/rules/rule-engine.ts'
import { createIngest, defaultWindow } from '../../services/platform/src/values/ingest.ts'

const org = 'bench'
const modelPath = 'Probe:1/value'
const compiler = createRuleCompiler()
const policies = createPolicyCompiler()
const now = () => new Date()
const { log } = Fastify()

type Kind = 'plain' | 'rules' | 'triggers'
type Size = { devices: number; values: number; turns: number; onEach: number }

/** Triggers, or rules of alarms, that judge each value of a device; one value in a thousand is beyond their limits. */
const judgesOf: Record<Kind, (count: number) => DeviceRule[]> = {
  plain: () => [],
  triggers: (count) =>
    Array.from({ length: count }, () => {
      const policy = { type: 'ANALOG_BAND', modelPathMatcher: modelPath, min: limit(), time: 1_000 }
      const given = { id: crypto.randomUUID(), orgResourceId: org, version: 1, updatedAt: 0 }
      return policies.deviceRules({ ...given, deviceGroups: [], policy }, [modelPath])
    }).flat(),
  rules: (count) =>
    Array.from({ length: count }, () =>
      compiler.deviceRule({
        id: crypto.randomUUID(),
        version: 1,
        override: null,
        rule: {
          name: 'limit',
          scope: { model: 'Probe:1' },
          kind: 'condition',
          when: { path: modelPath, op: '>', value: limit() },
          levels: [{ severity: 3 }],
          onDelayMs: 1_000,
        },
      }),
    ),
}
const limit = () => 90 + Math.random()

/** Durable values per second (medians of the turns) without anything that judges, with rules, and with triggers. */
export async function ingestRates(size: Size): Promise<Record<Kind, number>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
  const postgres = await startPostgres({ dataDir: folder })
  const {
    pool,
    db: whole,
    close,
  } = openDatabase(
    { ...postgres.connection, max: 10 },
    () => undefined, // it stops after the bench
  )
  await createBus(whole)
  await createProcesses(whole)
  const migrations = new URL('../../services/platform/src/migrations/', import.meta.url)
  const db = (await migrated(whole, 'platform', migrations)) as Kysely<ServiceDb> // its own schema
  const telemetry = await openTelemetry({ pool })
  const store = async () => telemetry
  const engines: RuleEngine[] = []
  const kinds = ['plain', 'rules', 'triggers'] as const
  const fleets = new Map<Kind, Fleet>()
  for (const kind of kinds) {
    const read = async () => ({
      rules: judgesOf[kind](size.onEach),
      text: crypto.randomUUID(),
      againAt: undefined,
    })
    const limits = { returnMs: 0, mostLateValues: 5_000_000 }
    const own = { db, now, log, compiler, policies, node: 1, ...limits, store, read }
    const engine = kind === 'plain' ? undefined : new RuleEngine(own)
    if (engine) engines.push(engine)
    fleets.set(kind, await fleetOf(size.devices, store, engine))
  }
  const rates: Record<Kind, number[]> = { plain: [], rules: [], triggers: [] }
  for (let turn = -1; turn < size.turns; turn += 1) {
    // Each kind is once the first of a turn; the first turn of all does not count.
    for (let n = 0; n < kinds.length; n += 1) {
      const kind = kinds[(n + turn + kinds.length) % kinds.length] ?? 'plain'
      const fleet = fleets.get(kind)
      if (!fleet) continue
      const rate = await send(fleet, size.values)
      if (turn >= 0) rates[kind].push(rate)
    }
  }
  for (const engine of engines) await engine.close()
  await telemetry.close()
  await close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
  return {
    plain: median(rates.plain),
    rules: median(rates.rules),
    triggers: median(rates.triggers),
  }
}

type Store = Parameters<typeof createIngest>[0]['store']
type Fleet = { ingest: ReturnType<typeof createIngest>; all: Device[]; t: number }

async function fleetOf(
  count: number,
  store: Store,
  engine: RuleEngine | undefined,
): Promise<Fleet> {
  const facts = {
    label: '',
    realm: 'bench',
    orgResourceId: org,
    groups: [],
    configuration: configurationText({ value: { type: 'double' } }),
    facts: [],
  }
  const deviceForPlatform = async ({ params }: { params: { deviceId: string } }) => ({
    ...params,
    ...facts,
  })
  const directory = createDirectory({
    mappings: { deviceForPlatform: Object.assign(deviceForPlatform, { key: 'bench' }) } as never, // the one call that is made
    log,
    moved: async () => undefined, // no device moves here
    read: () => undefined,
  })
  const durableListeners = new Set(
    engine ? [(...given: Parameters<RuleEngine['take']>) => engine.take(...given)] : [],
  )
  const ingest = createIngest({ store, now, window: defaultWindow, durableListeners })
  const all: Device[] = []
  for (let n = 0; n < count; n += 1) {
    const device = await directory.get(newDeviceId())
    if (!device) throw new Error('there is a device')
    all.push(device)
    engine?.came(device)
  }
  return { ingest, all, t: Date.now() - 86_400_000 }
}

/** Values per second, from the message of the device until they are durable. */
async function send(fleet: Fleet, values: number): Promise<number> {
  const begun = performance.now()
  for (let n = 0; n < values; n += 1) {
    fleet.t += 1_000
    await Promise.all(
      fleet.all.map(async (device, k) => {
        const [target] = device.byTopic.values()
        const v = (k * 7 + n * 13) % 1_000 === 0 ? 99 : 50 + (k % 20)
        const payload = Buffer.from(serialize({ v, t: new Date(fleet.t) }))
        if (target) await fleet.ingest.value(target, '', payload)
      }),
    )
  }
  return (fleet.all.length * values) / ((performance.now() - begun) / 1_000)
}

const median = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
