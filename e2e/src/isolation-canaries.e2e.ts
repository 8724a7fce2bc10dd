import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNats } from '@longreach/kit/nats-testing'
import { withDocuments } from '../../apps/server/src/services.ts'
import { type Ask, asker, enter } from './asking.ts'
import { personOf } from './calls.ts'
import { canaryTree } from './canary-tree.ts'
import { connectDevice, pair } from './device.ts'
import { addressOf, bodyOf, everyQuestion, type Question } from './every-question.ts'
import { openLive } from './live.ts'
import type { Longreach } from './longreach.ts'
import { startBeside } from './server-beside.ts'
import { core, make, ok, tenantWorld, type TenantWorld } from './tenant-world.ts'

// Every text of an organization in the realm acqua contains the marker. No answer to a person of
// the realm nordwerk may contain it, at any call or socket; they know all its ids.
const marker = `canary${randomBytes(6).toString('hex')}`

let nats: Awaited<ReturnType<typeof startNats>>
let world: TenantWorld
/** A second server on the database of the first. */
let second: Longreach
let tree: Awaited<ReturnType<typeof canaryTree>>
let questions: Question[]
beforeAll(async () => {
  nats = await startNats()
  const [place] = nats.settings.servers
  const NATS_URL = `nats://${place?.host}:${place?.port}`
  world = await tenantWorld({ NATS_URL })
  second = await startBeside(world.longreach, { NATS_URL })
  tree = await canaryTree(world.as.paola.ask, marker)
  questions = await everyQuestion(world.as.anna.ask, withDocuments)
})
afterAll(async () => {
  await second?.stop()
  await world?.longreach.stop()
  await nats?.stop()
})

const tells = (text: string) => text.toLowerCase().includes(marker)

/** Calendars have a secret address and a limit for each caller; a wrong address is asked for many times here. */
const calendars = 'notification/api/v1/schedules/calendar/'

type Asking = { ask: Ask; organizations: readonly string[]; filtered: readonly boolean[] }

/** Makes all calls; returns those whose answer contained the marker, and those that failed. */
async function askEverything({ ask, organizations, filtered }: Asking) {
  const told = new Set<string>()
  const broken: string[] = []
  const all = questions.flatMap((question) =>
    organizations.flatMap((org) => filtered.map((ids) => ({ question, org, ids }))),
  )
  const one = async ({ question, org, ids }: (typeof all)[number]) => {
    const path = addressOf(question, { org, ids: tree.ids, filtered: ids })
    const body = bodyOf(question, tree.ids, organizations)
    const sent = question.method === 'GET' ? undefined : { ...body, ...(ids && { data: {} }) }
    const { status, text } = await ask(question.method, path, sent)
    if (tells(text)) told.add(question.name)
    const isOften = status === 429 && !path.includes(calendars)
    if (status >= 500 || isOften) broken.push(`${status} ${path}`)
  }
  // Some at once, as a browser asks.
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    for (let at = lane; at < all.length; at += 6) await one(all[at]!)
  })
  await Promise.all(lanes)
  return { told: [...told].toSorted(), broken }
}

test('neither a live socket nor the broker passes on what the foreign organization writes', async () => {
  const mine = await openLive(world.url)
  mine.send({ op: 'hello', token: world.as.anna.access_token, organization: 'nordwerk' })
  await mine.next('ready')
  const wishes = ['values', 'status', 'console', 'alarms', 'inbox'].flatMap((kind) =>
    [tree.deviceId, '*', world.own.device].map((device) => ({
      op: 'sub',
      kind,
      device,
      below: true,
    })),
  )
  for (const [id, wish] of wishes.entries()) mine.send({ ...wish, id, path: '**' })

  const path = `platform/api/v1/organizations/nordwerk/devices/${world.own.device}/activationKey`
  const { activationKey } = await make<{ activationKey: string }>(world.as.anna.ask, path, {})
  const spy = await connectDevice(await pair(world.url, activationKey))
  const overheard: string[] = []
  spy.client.on('message', (topic, payload) => overheard.push(`${topic} ${payload.toString()}`))
  const paired = await pair(world.url, tree.activationKey)
  const root = `${paired.realm}/${paired.logicalId}`
  for (const topic of ['#', '+/#', '+/+/#', `${root}/#`, 'acqua/#', `$share/g/${root}/#`, '$SYS/#'])
    await spy.subscribe(topic).catch(() => undefined) // refused, or the connection ended

  const theirs = await openLive(world.url)
  const hello = { op: 'hello', token: world.as.paola.access_token, organization: 'acqua.vault' }
  theirs.send(hello)
  await theirs.next('ready')
  theirs.send({ op: 'sub', id: 1, kind: 'values', device: tree.deviceId, path: '**' })
  const device = await connectDevice(paired)
  const leaf = await device.leafOf(`tag.${marker}`)
  await device.send(leaf?.mapping?.device_endpoint ?? '', marker)
  await device.listen(leaf?.mapping?.server_endpoint ?? '')
  const value = { modelPath: `${marker}:1/${marker}`, v: marker }
  const write = `platform/api/v1/organizations/acqua.vault/devices/${tree.deviceId}/tags`
  await ok(world.as.paola.ask('POST', write, { data: [value], timeoutMs: 0 }))
  // Their own people see it.
  expect(tells(JSON.stringify(await theirs.next('values')))).toBe(true)
  await device.close()
  // The value has raised the alarm of their rule, whose id the others know too.
  const search = 'platform/api/v1/alarms/search?organization=acqua.vault'
  const raised = async () =>
    (await ok(world.as.paola.ask('POST', search, {}))).json<{ data: { id: string }[] }>().data
  await expect.poll(async () => (await raised()).length, { timeout: 60_000 }).toBe(1)
  tree.ids['alarm'] = (await raised())[0]?.id ?? ''
  mine.send({ op: 'ping' })
  await mine.next('pong')
  expect(tells(JSON.stringify(mine.frames))).toBe(false)
  expect(
    overheard.filter((message) => tells(message) || message.includes(paired.logicalId)),
  ).toEqual([])
  await spy.close()
})

test('its own people are told the marker by nearly every question', async () => {
  const asking = {
    ask: world.as.paola.ask,
    organizations: ['acqua.vault', 'acqua'],
    filtered: [true, false],
  }
  const { told, broken } = await askEverything(asking)
  expect(broken).toEqual([])
  // So the questions that others ask below are the right ones.
  for (const name of [
    'core_organization',
    'core_tree',
    'core_users',
    'core_roles',
    'core_userGroups',
    'core_securityPolicies',
    'core_apiKeys',
    'core_explain',
    'mappings_devices',
    'mappings_searchDevices',
    'mappings_attributeKeys',
    'mappings_modelNames',
    'mappings_deviceConfiguration',
    'mappings_deletedDevices',
    'mappings_segments',
    'mappings_jobs',
    'mappings_jobFailures',
    'mappings_exportDevices',
    'mappings_modelUsage',
    'platform_series',
    'platform_searchValues',
    'platform_views',
    'platform_view',
    'platform_comments',
    'platform_searchComments',
    'platform_timeline',
    'platform_storage',
    'platform_deviceStorage',
    'platform_retention',
    'platform_tags',
    'platform_queryTags',
    'platform_tagsOfGroup',
    'core_agreements',
    'core_policyDevices',
    'audit_search',
    'audit_export',
    'alarms_rules',
    'alarms_rule',
    'alarms_exportRules',
    'alarms_alarmSettings',
    'alarms_shelves',
    'alarms_alarmViews',
    'alarms_searchAlarms',
    'alarms_alarmDetail',
    'notifications_notifications',
    'notifications_notification',
    'notifications_escalations',
    'notifications_schedules',
    'triggers_triggers',
    'triggers_trigger',
    'triggers_runs',
    'dashboards_dashboards',
    'dashboards_dashboard',
    'dashboards_dashboardDraft',
    'dashboards_versions',
  ]) {
    expect(told).toContain(name)
  }
  expect(told.length).toBeGreaterThan(50)
})

/** Every way to name an organization: the caller's own, whole trees, and the foreign one. */
const places = () => [
  'nordwerk',
  'nordwerk.*',
  '*',
  'acqua',
  'acqua.*',
  'acqua.vault',
  'acqua.vault.*',
  String(tree.ids['organizationId']),
]

test.each(['anna', 'max', 'dario', 'nobody'] as const)(
  'no question of %s is answered with the marker',
  async (name) => {
    const ask = name === 'nobody' ? asker(world.url) : world.as[name].ask
    const asking = { ask, organizations: places(), filtered: [true, false] }
    expect(await askEverything(asking)).toEqual({ told: [], broken: [] })
  },
)

test('no question with an API key is answered with the marker', async () => {
  const keys = `${core('nordwerk')}/apiKeys`
  for (const organization of ['nordwerk.*', 'acqua.vault']) {
    // A key may make 300 calls at once; there are more than half of that.
    const { id, key } = await make<{ id: number; key: string }>(world.as.anna.ask, keys, {})
    const ask = asker(world.url, { 'x-api-key': key })
    const asking = { ask, organizations: [organization], filtered: [true] }
    expect(await askEverything(asking)).toEqual({ told: [], broken: [] })
    // A person has two keys in an organization at most.
    await ok(world.as.anna.ask('DELETE', `${keys}/${id}`))
  }
})

test('at a second server its own people are told the marker, and others are not', async () => {
  const at = async (name: 'paola' | 'anna') =>
    (await enter(second.url, personOf(world.demo, name))).ask
  const own = { ask: await at('paola'), organizations: ['acqua.vault'], filtered: [true] }
  const { told, broken } = await askEverything(own)
  expect(broken).toEqual([])
  for (const name of [
    'core_users',
    'mappings_devices',
    'platform_series',
    'platform_tags',
    'audit_search',
  ])
    expect(told).toContain(name)
  expect(told.length).toBeGreaterThan(50)
  const foreign = {
    ask: await at('anna'),
    organizations: ['nordwerk.*', 'acqua.vault'],
    filtered: [true],
  }
  expect(await askEverything(foreign)).toEqual({ told: [], broken: [] })
  const unknown = { ...foreign, ask: asker(second.url), organizations: ['acqua.vault'] }
  expect(await askEverything(unknown)).toEqual({ told: [], broken: [] })
})

test('exports of the audit trail do not hold the marker', async () => {
  for (const organization of ['nordwerk', 'nordwerk.*', '*']) {
    for (const format of ['csv', 'jsonl']) {
      const path = `audit/api/v1/export?organization=${organization}&format=${format}`
      expect(tells((await ok(world.as.anna.ask('GET', path))).text)).toBe(false)
    }
  }
})

test('the logs of the servers do not hold the marker', () => {
  for (const { output } of [world.longreach, second])
    expect(output().split('\n').filter(tells)).toEqual([])
})
