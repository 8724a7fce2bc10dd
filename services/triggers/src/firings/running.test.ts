import { notificationsContract } from '@longreach/notifications/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Firing } from '../firing-contract.ts'
import {
  band,
  organization,
  path,
  patience,
  query,
  type TriggersTest,
  triggersTest,
  webhook,
} from '../triggers-testing.ts'

let server: TriggersTest
beforeAll(async () => {
  server = await triggersTest()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('trigger').execute()
  server.hook.calls.length = 0
  server.hook.answer.status = 200
})

const now = () => Date.now()
const detailOf = (id: string, run: string) => server.admin.run({ params: { id, run }, query })
const stateOf = async (id: string) =>
  (await server.admin.trigger({ params: { id }, query })).longreach

test('[R-23] a firing calls a webhook once, and the run says what was sent and answered', async () => {
  const { id } = await server.create()
  const [fired] = [{ t: now() - 1_000 }]
  await server.fire(id, fired)
  await server.fire(id, fired)
  const [run] = await server.runs(id, 1)
  expect(run).toMatchObject({
    kind: 'acted',
    reason: 'fired',
    deviceLabel: 'Oven 7',
    firedAt: fired.t,
    text: `Fired: ${path} = 60.`,
    actions: [{ type: 'WEBHOOK_ACTION', state: 'DONE' }],
  })
  expect(server.hook.calls).toHaveLength(1)
  const [call] = server.hook.calls
  expect(call).toMatchObject({ method: 'POST', url: '/hook' })
  expect(JSON.parse(call?.body ?? '')).toMatchObject({
    type: 'longreach.trigger',
    trigger: 'Too hot',
    device: 'Oven 7',
    path,
    value: 60,
    timeMs: fired.t,
  })
  const detail = await detailOf(id, run?.id ?? '')
  expect(detail).toMatchObject({
    owner: 'adam',
    inputs: [{ path, value: 60, isCause: true, hidden: false, t: fired.t }],
    conditions: [{ place: 'policy', truth: true }],
    actions: [{ state: 'DONE', answer: '200 received', deliveryId: call?.headers['webhook-id'] }],
    chain: [],
  })
  const { content } = await server.admin.counters({ params: { id }, query })
  expect(content).toMatchObject([{ counterIn: 1, counterOut: 1, counterThrottled: 0 }])
  expect(await stateOf(id)).toMatchObject({ state: 'active', counters: { counterIn: 1 } })
})

test('[R-23] the first firing passes, and further ones are throttled by action and device', async () => {
  const actions = [webhook(server.hook.url, { throttlingIntervalInMSec: 3_600_000 })]
  const { id } = await server.create({ triggerData: { policy: band, actions } })
  const other = await server.newDevice('Oven 8')
  await server.fire(id, {}, {}, { deviceId: other.id, deviceLabel: 'Oven 8' })
  const runs = await server.runs(id, 3)
  expect(runs.map(({ deviceLabel, reason }) => `${deviceLabel} ${reason}`).toSorted()).toEqual([
    'Oven 7 fired',
    'Oven 7 throttled',
    'Oven 8 fired',
  ])
  const { content } = await server.admin.counters({
    params: { id },
    query: { ...query, step: 'day' },
  })
  expect(content).toMatchObject([{ counterIn: 3, counterOut: 2, counterThrottled: 1 }])
})

test('[R-23] late values: a firing that moved runs once, an old one does not run', async () => {
  const { id } = await server.create()
  const t = now() - 10_000
  await server.fire(id, { t }, { t: t - 2_000, until: null, isAgain: true })
  await server.fire(id, { t: now() - 7_200_000, isAgain: true, until: now() - 7_100_000 })
  await server.fire(id, { t: t - 5_000, until: t - 4_000, isAgain: true })
  const runs = await server.runs(id, 3)
  expect(runs.map(({ reason }) => reason).toSorted()).toEqual(['fired', 'fired', 'late'])
  expect(server.hook.calls).toHaveLength(2)
})

test('[R-23] what nearly fired and what acted are kept apart, 50 of each', async () => {
  const { id } = await server.create({ triggerData: { policy: band } })
  const almost = Array.from({ length: 55 }, (): Partial<Firing> => ({ kind: 'one_short' }))
  await server.fire(id, ...almost)
  await expect.poll(async () => (await server.runsOf(id)).length, patience).toBe(50)
  await server.fire(id, {})
  const asked = { params: { id }, query: { ...query, pageSize: 20 } }
  await expect
    .poll(async () => (await server.admin.runsOfTrigger(asked)).data[0]?.reason, patience)
    .toBe('no_action')

  const first = await server.admin.runsOfTrigger(asked)
  const second = await server.admin.runs({
    query: { ...query, pageSize: 20, next: first.next ?? '' },
  })
  const ids = [...first.data, ...second.data].map((run) => run.id)
  expect(new Set(ids).size).toBe(40)
  const bad = server.admin.runs({ query: { ...query, next: 'nonsense' } })
  await expect(bad).rejects.toMatchObject({ status: 400 })
})

test('[R-23] a mail, an attribute and an alarm are made by the services that they belong to', async () => {
  const mail = {
    type: 'EMAIL_ACTION',
    emailConfig: {
      emailTo: 'plant@plant.example; night@plant.example',
      subject: '{{device}} is at {{value}}',
      template: 'Look at {{path}}: {{#inputs}}{{value}}{{/inputs}}',
    },
  }
  const actions = [mail, { type: 'ATTRIBUTE_ACTION', attribute: 'lastHot' }]
  const own = [{ type: 'ALARM', name: 'Hot by trigger', severity: 4 }]
  const { id } = await server.create({
    triggerData: { policy: band, actions, longreach: { actions: own } },
  })
  await server.fire(id, {}, {})
  const runs = await server.runs(id, 2)
  expect(runs.flatMap((run) => run.actions.map(({ state }) => state))).toEqual(
    Array(6).fill('DONE'),
  )
  const texts = server.post.taken.map(({ text }) => text).join('\n')
  expect(texts).toContain('Subject: Oven 7 is at 60')
  expect(texts).toContain('Look at Oven:1/temperature: 60')
  expect(server.post.taken).toHaveLength(4)
  const device = await server.mappings.device({ params: { id: server.device.id }, query })
  expect(JSON.stringify(device)).toContain('"lastHot":60')
  const alarms = await server.alarms.searchAlarms({ query, body: {} })
  expect(JSON.stringify(alarms)).toContain('Hot by trigger')
})

test('[R-23] a receiver that refuses makes a failed run, which stays', async () => {
  server.hook.answer.status = 400
  const { id } = await server.create()
  await server.fire(id, {})
  const [run] = await server.runs(id, 1)
  expect(run).toMatchObject({ kind: 'failed', reason: 'action_failed' })
  const detail = await detailOf(id, run?.id ?? '')
  expect(detail.actions).toMatchObject([{ state: 'FAILED', answer: '400 received' }])
})

test('[R-23] days and switched off kinds: the run is only kept', async () => {
  const today = new Date().getUTCDay()
  const hook = webhook(server.hook.url)
  const days = { ...hook, webhookConfig: { ...hook.webhookConfig, xdays: [(today + 3) % 7] } }
  const { id } = await server.create({ triggerData: { policy: band, actions: [days] } })
  const all = { webhookAction: true, emailAction: false, attributeAction: false }
  const blocked = { ...all, telegramAction: false, teamsAction: false }
  await server.fire(id, {})
  expect(await server.runs(id, 1)).toMatchObject([{ kind: 'almost', reason: 'not_today' }])
  await server.admin.setBlockedActions({ query, body: blocked })
  const { id: other } = await server.create()
  await server.fire(other, {})
  expect(await server.runs(other, 1)).toMatchObject([{ kind: 'failed', reason: 'blocked' }])
  await server.admin.setBlockedActions({ query, body: { ...blocked, webhookAction: false } })
  expect(server.hook.calls).toEqual([])
})

/** Carries out the writes that wait for the device, as platform does it. */
async function writeAll() {
  const asked = { params: { deviceId: server.device.id }, body: {} }
  const { writes } = await server.internal.takeWrites(asked)
  for (const { id } of writes) {
    const body = { isWritten: true, answer: 'written', ms: 5 }
    await server.internal.endWrite({ params: { id }, body })
  }
  return writes
}
const writing = (to: string) => ({
  policy: band,
  longreach: { actions: [{ type: 'WRITE', path: to, value: 7 }] },
})
/** Firing that the write of a path has caused. */
const causedBy = (written: string): Partial<Firing> => ({
  inputs: [{ path: written, value: 7, isCause: true }],
  t: now(),
})

test('[R-23] a trigger whose writes come back to it is stopped at the third time, with the chain', async () => {
  const { id } = await server.create({ triggerData: writing('Oven:1/speed') })
  await server.fire(id, {})
  for (let round = 0; round < 2; round += 1) {
    await expect.poll(writeAll, patience).toMatchObject([{ path: 'Oven:1/speed', value: 7 }])
    await server.runs(id, round + 1)
    await server.fire(id, causedBy('Oven:1/speed'))
  }
  await expect.poll(async () => (await stateOf(id)).state, patience).toBe('stopped')

  const stopped = await stateOf(id)
  expect(stopped.stopped).toMatchObject({ code: 'repeated', chain: [{ name: 'Too hot' }, {}] })
  expect(stopped.stopped?.text).toContain('“Too hot” writes Oven:1/speed, so “Too hot”')
  const [last] = await server.runsOf(id)
  expect(last).toMatchObject({ kind: 'failed', reason: 'stopped' })
  const { triggers } = await server.internal.triggersForDevice({
    params: { deviceId: server.device.id },
    query: { orgResourceId: organization },
  })
  expect(triggers).toEqual([])
  const inbox = () => server.notifications.inbox({ query })
  await expect
    .poll(async () => (await inbox()).data.map(({ subject }) => subject), patience)
    .toContain('Your trigger Too hot does not run any more')
  const again = await server.admin.resumeTrigger({ params: { id }, query, body: {} })
  expect(again.longreach).toMatchObject({ state: 'active', stopped: null })
})

test('[R-23] three that feed each other are stopped', async () => {
  const ring = ['A', 'B', 'C'].map((name) => ({ name, path: `Oven:1/${name}` }))
  const ids: string[] = []
  for (const { name, path: own } of ring) {
    const made = await server.create({ name, triggerData: writing(own) })
    ids.push(made.id)
  }
  await server.fire(ids[0] ?? '', {})
  for (let step = 0; step < 7; step += 1) {
    const { path: own } = ring[step % 3] ?? { path: '' }
    let isStopped = false
    await expect
      .poll(async () => {
        const states = await Promise.all(ids.map(stateOf))
        isStopped = states.some(({ state }) => state === 'stopped')
        return isStopped || (await writeAll()).length > 0
      }, patience)
      .toBe(true)
    if (isStopped) break
    await server.fire(ids[(step + 1) % 3] ?? '', causedBy(own))
  }
  const states = await Promise.all(ids.map(stateOf))
  const [stopped] = states.filter(({ state }) => state === 'stopped')
  expect(stopped?.stopped?.code).toBe('too_deep')
  expect(stopped?.stopped?.text).toMatch(/“A” writes .*“B” writes .*“C” writes/)
})

test('[R-23] more than 60 runs in a minute stop a trigger', async () => {
  const { id } = await server.create({ triggerData: writing('Oven:1/count') })
  // Twice, as a minute may end between them.
  for (let round = 0; round < 2; round += 1) {
    await server.fire(id, ...Array.from({ length: 65 }, () => ({})))
  }
  await expect.poll(async () => (await stateOf(id)).stopped?.code, patience).toBe('too_many_runs')
})

test('[R-23] with a right lost by its owner a trigger is blocked', async () => {
  await server.core(server.people.owner).createRole({
    params: { org: organization },
    body: {
      name: 'caller',
      label: 'Calls webhooks',
      rules: [
        { resource: 'triggers', actions: ['read', 'create', 'update'] },
        { resource: 'devices', actions: ['read'] },
        { resource: 'notifications', actions: ['update'] },
      ],
    },
  })
  const theo = await server.addPerson('theo', 'caller')
  const made = await server.as(theo).createTrigger({ query, body: server.body() })
  await server.fire(made.id, {})
  await server.runs(made.id, 1)
  await server.dropRole('caller')
  await server.fire(made.id, {})
  await expect.poll(async () => (await stateOf(made.id)).state, patience).toBe('blocked')
  const [run] = await server.runsOf(made.id)
  expect(run).toMatchObject({
    kind: 'failed',
    reason: expect.stringMatching(/right_lost|owner_gone/),
  })
  expect(server.hook.calls).toHaveLength(1)
})

test('[R-23] a device that its owner may not read is not one of a trigger', async () => {
  const { id } = await server.create()
  await server.fire(id, { orgResourceId: 'nordwerk.press' })
  await server.fire(id, {})
  const runs = await server.runs(id, 1)
  expect(runs).toMatchObject([{ reason: 'fired' }])
})

test('[R-23] a message that is handed over twice, as after a kill, is sent once', async () => {
  const { id } = await server.create()
  const body = {
    id: crypto.randomUUID(),
    organization,
    realm: 'nordwerk',
    deviceOrg: organization,
    deviceGroups: [],
    language: 'en' as const,
    zone: 'UTC',
    facts: {
      run: crypto.randomUUID(),
      trigger: 'Too hot',
      triggerId: id,
      device: 'Oven 7',
      deviceId: server.device.id,
      organization,
      path,
      value: 60,
      timeMs: now(),
      inputs: [],
    },
    outgoing: {
      kind: 'webhook' as const,
      method: 'PUT' as const,
      url: server.hook.url,
      headers: { 'X-Plant': '7' },
      template: '{"at": {{value}}}',
    },
  }
  const hand = () => server.server.asService(notificationsContract).sendOutgoing({ body })
  const [first, second] = await Promise.all([hand(), hand()])
  expect(second.deliveries[0]?.id).toBe(first.deliveries[0]?.id)
  await expect.poll(() => server.hook.calls.length, patience).toBe(1)
  expect(server.hook.calls).toMatchObject([
    {
      method: 'PUT',
      body: '{"at": 60}',
      headers: { 'x-plant': '7', 'webhook-id': first.deliveries[0]?.id },
    },
  ])
  const { data } = await server.notifications.deliveries({ query })
  expect(data.filter(({ messageId }) => messageId === body.id)).toHaveLength(1)
})

test('[R-23] a run of a trigger above on a device here is not shown here', async () => {
  const { id } = await server.create()
  await server.fire(id, {})
  const [run] = await server.runs(id, 1)
  const { rows } = await server.server.database.pool.query<{ id: string }>(
    `insert into triggers.run select (jsonb_populate_record(r, jsonb_build_object(
       'id', gen_random_uuid(), 'org', 'nordwerk'))).* from triggers.run r where id = $1 returning id`,
    [run?.id],
  )
  const of = async (calls: ReturnType<typeof server.as>, organization: string) =>
    (await calls.runs({ query: { organization } })).data.map((one) => one.id)
  const here = await of(server.admin, query.organization)
  expect(here).toContain(run?.id)
  expect(here).not.toContain(rows[0]?.id)
  await expect(
    server.admin.run({ params: { id, run: String(rows[0]?.id) }, query }),
  ).rejects.toMatchObject({ status: 404 })
})

test('[R-23] who may read devices of one group alone sees no run on a device that is not in it', async () => {
  const { id } = await server.create()
  await server.fire(id, {})
  const [run] = await server.runs(id, 1)
  const core = server.core(server.people.owner)
  const params = { org: organization }
  const group = await core.createSecurityPolicy({ params, body: { name: 'Hall of others' } })
  await core.createRole({
    params,
    body: {
      name: 'of_hall',
      label: 'Of the hall',
      rules: [
        { resource: 'triggers', actions: ['read'] },
        { resource: 'devices', actions: ['read'], deviceGroup: group.id },
      ],
    },
  })
  const calls = server.as(await server.addPerson('hanna', 'of_hall'))
  expect(await calls.trigger({ params: { id }, query })).toMatchObject({ id })
  expect((await calls.runsOfTrigger({ params: { id }, query })).data).toEqual([])
  expect((await calls.runs({ query })).data).toEqual([])
  const one = calls.run({ params: { id, run: run?.id ?? '' }, query })
  await expect(one).rejects.toMatchObject({ status: 404 })
})
