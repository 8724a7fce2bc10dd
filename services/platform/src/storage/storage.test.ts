import { bitOf, everyAction } from '@longreach/authorization/capability'
import { person } from '@longreach/kit/testing'
import { openTelemetry, type TelemetryStore } from '@longreach/telemetry/store'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  configurationText,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
} from '../platform-testing.ts'
import { retentionStep } from './retention-run.ts'
import type { RetentionDb } from './retention-store.ts'

const day = 86_400_000
const at = Date.now()
let platform: TestPlatform
let store: TelemetryStore

beforeAll(async () => {
  // One day for the values, the rules and the questions, also when midnight passes meanwhile.
  platform = await testPlatform({}, () => new Date(at))
  store = await openTelemetry({ pool: platform.database.pool })
})
afterAll(async () => {
  await store.close()
  await platform.close()
})

type Actions = Partial<Record<'organizations' | 'devices', number>>
/** A person with these rights in the organization and below it. */
function client(sub: string, org: string, grants: Actions) {
  platform.rights[sub] = { [org]: { capability: { grants, deviceGroups: [] }, below: true } }
  return server().as(person(sub, 'exor', org), platformContract)
}
const server = () => platform
const admin = (org: string) =>
  client(`admin of ${org}`, org, { organizations: everyAction, devices: everyAction })

/** A paired device with a value an hour for so many days, the newest of now. */
async function deviceWith(org: string, days: number, path = 'Probe:1/level') {
  const deviceId = newDeviceId()
  const configuration = configurationText({ level: { type: 'double' } })
  const facts = { realm: 'exor', orgResourceId: org, groups: [], configuration }
  platform.register.devices.set(deviceId, { label: `Tank in ${org}`, ...facts })
  await pair(platform, org, deviceId)
  await platform.change(deviceId, {})
  await platform.settle()
  const series = await store.seriesOf(org, deviceId, path, 'double')
  const rows = Array.from({ length: days * 24 }, (_, n) => n)
  await store.append({
    series: rows.map(() => series),
    t: rows.map((n) => at - n * 3_600_000),
    v: rows,
  })
  await store.sealNow()
  return { deviceId, series }
}

async function valuesOf(series: number) {
  let count = 0
  for await (const page of store.read(series, { since: 0, to: at + day })) count += page.length
  return count
}
const deps = () => ({
  db: platform.database.db.withSchema('platform') as unknown as Kysely<RetentionDb>,
  telemetry: async () => store,
  directory: { get: async () => undefined },
  now: () => new Date(at),
  log: { error: () => undefined, info: () => undefined },
})
async function runRetention() {
  await deps().db.updateTable('retention_run').set({ finished_at: null, after_series: 0 }).execute()
  while ((await retentionStep(deps())) === 'more');
}

test('storage used is told by organization, device and path, to those who may see them [C-20]', async () => {
  const { deviceId } = await deviceWith('exor.used', 10)
  await deviceWith('exor.used.below', 5)
  await deviceWith('exor.usedelsewhere', 5)
  const params = { org: 'exor.used' }
  const used = await admin('exor.used').storage({ params })
  expect(used.total).toMatchObject({ values: 360 })
  expect(used.organizations.map(({ organization }) => organization)).toEqual([
    'exor.used',
    'exor.used.below',
  ])
  expect(used.devices[0]).toMatchObject({ deviceId, label: 'Tank in exor.used', values: 240 })
  expect(used.devices[0]?.valuesPerDay).toBeCloseTo(24, 0)
  expect(used.others).toEqual({ devices: 0, values: 0, bytes: 0 })
  const paths = await admin('exor.used').deviceStorage({ params: { ...params, deviceId } })
  expect(paths).toMatchObject([{ modelPath: 'Probe:1/level', values: 240, keepDays: null }])

  const blind = client('blind', 'exor.used', { organizations: bitOf('read') })
  const nameless = await blind.storage({ params })
  expect(nameless.devices).toEqual([])
  expect(nameless.others).toMatchObject({ devices: 2, values: 360 })
  await expect(blind.deviceStorage({ params: { ...params, deviceId } })).rejects.toMatchObject({
    status: 404,
  })
  const stranger = client('stranger', 'exor.used', { devices: everyAction })
  await expect(stranger.storage({ params })).rejects.toMatchObject({ status: 403 })
})

test('old values go by the rule that says most, and the newest value of a path stays', async () => {
  const org = 'exor.kept'
  const [device, longer] = [await deviceWith(org, 30), await deviceWith(org, 30, 'Other:1/level')]
  const still = await deviceWith(`${org}.below`, 30)
  const silent = await store.seriesOf(org, device.deviceId, 'Probe:1/silent', 'double')
  await store.append({ series: [silent, silent], t: [at - 90 * day, at - 80 * day], v: [1, 2] })
  await store.sealNow()
  const params = { org }
  const rule = { model: 'Probe', path: '', keepDays: 10 }
  const would = await admin(org).previewRetention({ params, body: rule })
  expect(would).toMatchObject({ devices: 2, paths: 3 })
  expect(would.values).toBeGreaterThan(900)
  expect(await valuesOf(device.series)).toBe(720)

  const saved = await admin(org).saveRetention({ params, body: rule })
  expect(saved).toMatchObject({ ...rule, organization: org, inherited: false })
  await runRetention()
  const kept = await valuesOf(device.series)
  expect(kept).toBeGreaterThanOrEqual(240)
  expect(kept).toBeLessThanOrEqual(265)
  expect(await valuesOf(still.series)).toBe(kept)
  expect(await valuesOf(longer.series)).toBe(720)
  expect(await valuesOf(silent)).toBe(1)
  expect(await store.last([silent])).toMatchObject([{ v: 2 }])
  const after = await admin(org).previewRetention({ params, body: rule })
  expect(after).toEqual({ devices: 0, paths: 0, values: 0, bytes: 0 })
  const paths = await admin(org).deviceStorage({ params: { org, deviceId: device.deviceId } })
  expect(paths.find(({ modelPath }) => modelPath === 'Probe:1/level')?.keepDays).toBe(10)
})

test('what is kept above can be shortened below and not made longer', async () => {
  const above = { params: { org: 'exor.tree' }, body: { keepDays: 30 } }
  const { id } = await admin('exor.tree').saveRetention(above)
  const params = { org: 'exor.tree.leaf' }
  const leaf = admin('exor.tree.leaf')
  await expect(leaf.saveRetention({ params, body: { keepDays: 31 } })).rejects.toMatchObject({
    status: 422,
    code: 'platform.retention_longer_than_above',
    details: { field: 'keepDays' },
  })
  await leaf.saveRetention({ params, body: { keepDays: 7 } })
  const { rules } = await leaf.retention({ params })
  expect(rules).toMatchObject([
    { keepDays: 30, inherited: true },
    { keepDays: 7, inherited: false },
  ])
  await expect(leaf.deleteRetention({ params: { ...params, rule: id } })).rejects.toMatchObject({
    status: 404,
  })
  const two = { model: 'Probe', path: 'Probe:1/level', keepDays: 3 }
  await expect(leaf.saveRetention({ params, body: two })).rejects.toMatchObject({ status: 422 })
  await expect(leaf.saveRetention({ params, body: { keepDays: 0 } })).rejects.toMatchObject({
    status: 400,
  })
  const reader = client('reader', 'exor.tree', { organizations: bitOf('read') })
  await expect(reader.saveRetention(above)).rejects.toMatchObject({ status: 403 })
  await expect(reader.previewRetention(above)).rejects.toMatchObject({ status: 403 })
})

test('a rule is changed in place, also by two at once, and can be taken away', async () => {
  const params = { org: 'exor.twice' }
  const both = await Promise.all(
    [20, 21].map((keepDays) => admin('exor.twice').saveRetention({ params, body: { keepDays } })),
  )
  expect(new Set(both.map(({ id }) => id)).size).toBe(1)
  const rule = both[0]!.id
  await admin('exor.twice').deleteRetention({ params: { ...params, rule } })
  expect((await admin('exor.twice').retention({ params })).rules).toEqual([])
  const again = admin('exor.twice').deleteRetention({ params: { ...params, rule } })
  await expect(again).rejects.toMatchObject({ status: 404 })
})

test('two processes do not look for old values at once', async () => {
  await deps().db.updateTable('retention_run').set({ finished_at: null }).execute()
  const steps = await Promise.all([retentionStep(deps()), retentionStep(deps())])
  expect(steps.toSorted()).toEqual(['done', 'idle'])
})
