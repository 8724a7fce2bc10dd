import { serialize } from 'bson'
import { expect } from 'vitest'
import type { RuleChanged } from './alarm-types.ts'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  type TestPlatform,
  topicOf,
} from '../platform-testing.ts'

export const org = 'exor'
const configuration = configurationText({
  temperature: { type: 'double' },
  door: { type: 'double' },
  now: { type: 'double', history: false },
})

/** A paired device in an organization. */
export async function pairedDevice(
  platform: TestPlatform,
  facts: { groups?: number[]; attributes?: Record<string, unknown> } = {},
) {
  const id = newDeviceId()
  const master = { label: id, orgResourceId: org, realm: 'exor', groups: [], configuration }
  platform.register.devices.set(id, { ...master, ...facts })
  return { id, credentials: await pair(platform, org, id) }
}

type Paired = Awaited<ReturnType<typeof pairedDevice>>

/** The device's connection to a process, which sends values with their times. */
export async function connected(platform: TestPlatform, { id, credentials }: Paired) {
  const client = await connectDevice({ ...credentials, port: platform.site.mqttPort })
  const send = (v: number, t: number, name = 'temperature') =>
    client.publishAsync(
      topicOf(credentials.base, name),
      Buffer.from(serialize({ v, t: new Date(t) })),
      { qos: 1 },
    )
  return { id, client, send }
}

/** Fields of a rule for one device. */
export const ruleFor = (deviceId: string, more: Record<string, unknown> = {}) => ({
  name: 'Too hot',
  scope: { deviceId },
  kind: 'condition',
  when: { path: 'Probe:1/temperature', op: '>', value: 50 },
  levels: [{ severity: 5 }],
  ...more,
})

/** Saves a rule, as alarms does it. */
export const saveRule = (
  { alarms, database }: TestPlatform,
  rule: Record<string, unknown>,
  more: Parameters<TestPlatform['alarms']['save']>[3] = {},
) => alarms.save(database.db, org, rule, more)

/** All that was published of a rule on a device. */
export const publishedOf = (
  { alarms }: TestPlatform,
  deviceId: string,
  ruleId?: string,
): RuleChanged[] =>
  alarms.changed.filter(
    (one) => one.deviceId === deviceId && (ruleId === undefined || one.ruleId === ruleId),
  )

/** Changes that were published of a device, as kind and time; with `again` those that count in the end. */
export function changesOf(platform: TestPlatform, deviceId: string, ruleId?: string) {
  let changes: RuleChanged['changes'] = []
  for (const one of publishedOf(platform, deviceId, ruleId)) {
    const { again } = one
    if (again) changes = changes.filter(({ t }) => t <= again.since)
    changes.push(...one.changes)
  }
  return changes.map(({ kind, t }) => `${kind} ${t}`)
}

/** Waits until the changes of a device are these. */
export async function expectChanges(
  platform: TestPlatform,
  deviceId: string,
  wanted: readonly string[],
  ruleId?: string,
) {
  await expect
    .poll(() => changesOf(platform, deviceId, ruleId), { timeout: 30_000 })
    .toEqual(wanted)
}

/** Ends a process as SIGKILL does: its connections to the database are cut, and it gets no others. */
export async function killProcess(beside: TestPlatform, { database: { pool } }: TestPlatform) {
  const { _clients: clients } = pool as unknown as { _clients: { processID: number }[] } // the pool has no list of them
  const pids = clients.map(({ processID }) => processID)
  void pool.end()
  await beside.database.pool.query(
    'select pg_terminate_backend(pid) from unnest($1::int[]) as pid',
    [pids],
  )
}
