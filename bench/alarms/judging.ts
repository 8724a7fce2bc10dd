import { openDatabase, migrated } from '@longreach/kit/database'
import { createBus } from '@longreach/kit/events'
import { createProcesses } from '@longreach/kit/own-process'
import { openTelemetry } from '@longreach/telemetry/store'
import Fastify from 'fastify'
import type { Kysely } from 'kysely'
import type { PoolConfig } from 'pg'
import type { ServiceDb } from '../../services/platform/src/database.ts'
import { createDirectory } from '../../services/platform/src/devices/device-directory.ts'
import type { DeviceRule } from '../../services/platform/src/devices/device.ts'
import { configurationText } from '../../services/platform/src/platform-testing.ts'
import { createPolicyCompiler } from '../../services/platform/src/rules/device-policy.ts'
import { createRuleCompiler } from '../../services/platform/src/rules/device-rule.ts'
import { RuleEngine } from '../../services/platform/src/rules/rule-engine.ts'

type Options = {
  connection: PoolConfig
  /** Paths of each device. */
  paths: readonly string[]
  /** Number of this process. */
  node: number
  /** Rules of a device; without alarms, which would be asked for them. */
  rulesOf: (compiler: ReturnType<typeof createRuleCompiler>) => DeviceRule[]
}

/** Rules, devices and store of the platform in one process, over its own tables and without its other services. */
export async function openJudging({ connection, paths, node, rulesOf }: Options) {
  const { pool, db: whole, close } = openDatabase({ ...connection, max: 10 }, () => undefined) // it stops after the bench
  await createBus(whole)
  await createProcesses(whole)
  const migrations = new URL('../../services/platform/src/migrations/', import.meta.url)
  const db = (await migrated(whole, 'platform', migrations)) as Kysely<ServiceDb> // its own schema
  const telemetry = await openTelemetry({ pool })
  const { log } = Fastify()
  const now = () => new Date()
  const facts = {
    label: '',
    realm: 'bench',
    orgResourceId: 'bench',
    groups: [],
    configuration: configurationText(
      Object.fromEntries(paths.map((path) => [path, { type: 'double' }])),
    ),
    facts: [],
  }
  const deviceForPlatform = async ({ params: { deviceId } }: { params: { deviceId: string } }) => ({
    deviceId,
    ...facts,
  })
  const directory = createDirectory({
    mappings: { deviceForPlatform: Object.assign(deviceForPlatform, { key: 'bench' }) } as never, // the one call that is made
    log,
    moved: async () => undefined, // no device moves here
    read: () => undefined,
  })
  const compiler = createRuleCompiler()
  const engine = new RuleEngine({
    db,
    now,
    log,
    compiler,
    policies: createPolicyCompiler(),
    node,
    returnMs: 0,
    mostLateValues: 5_000_000,
    store: async () => telemetry,
    read: async () => {
      const rules = rulesOf(compiler)
      return { rules, text: rules.map(({ id }) => id).join(), againAt: undefined }
    },
  })
  return {
    pool,
    telemetry,
    directory,
    engine,
    now,
    async close() {
      await engine.close()
      await telemetry.close()
      await close()
    },
  }
}
