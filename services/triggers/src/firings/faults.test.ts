import { coreContract } from '@longreach/core/contract'
import { publish } from '@longreach/kit/events'
import { mappingsContract } from '@longreach/mappings/contract'
import { notificationsContract } from '@longreach/notifications/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  organization,
  patience,
  query,
  type TriggersTest,
  triggersTest,
} from '../triggers-testing.ts'

let server: TriggersTest
beforeAll(async () => {
  server = await triggersTest()
})
afterAll(() => server.close())

const stateOf = async (id: string) =>
  (await server.admin.trigger({ params: { id }, query })).longreach

type Event = Parameters<typeof publish>[1]
/** Tells an event, as another service does it. */
const tell = <T extends Event>(event: T, value: Parameters<typeof publish<T['payload']>>[2]) =>
  server.server.database.db.transaction().execute((tx) => publish(tx, event, value))

/** Numbers of rows that tables hold of a trigger. */
async function rowsOf(id: string) {
  const counted = await sql<Record<string, number>>`select
    (select count(*) from triggers.trigger where id = ${id})::int as trigger,
    (select count(*) from triggers.firing where trigger_id = ${id})::int as firing,
    (select count(*) from triggers.fired where trigger_id = ${id})::int as fired,
    (select count(*) from triggers.throttle where trigger_id = ${id})::int as throttle,
    (select count(*) from triggers.counter where trigger_id = ${id})::int as counter,
    (select count(*) from triggers.run where trigger_id = ${id})::int as run`.execute(server.db)
  return counted.rows[0] ?? {}
}
const nothing = { trigger: 0, firing: 0, fired: 0, throttle: 0, counter: 0, run: 0 }

test('[R-23] an owner who lost a right is told in the inbox, and the run says what was held back', async () => {
  const { owner } = server.people
  const rules = [
    { resource: 'triggers', actions: ['read', 'create', 'update'] },
    { resource: 'devices', actions: ['read'] },
  ] as const
  const role = await server.core(owner).createRole({
    params: { org: organization },
    body: {
      name: 'sender',
      label: 'Sends',
      rules: [
        ...rules.map((one) => ({ ...one, actions: [...one.actions] })),
        { resource: 'notifications', actions: ['update'] },
      ],
    },
  })
  const theo = await server.addPerson('theo', 'sender')
  const made = await server.as(theo).createTrigger({ query, body: server.body({ name: 'Told' }) })
  await server.fire(made.id, {})
  await server.runs(made.id, 1)
  await server.core(owner).updateRole({
    params: { org: organization, role: String(role.id) },
    body: {
      name: 'sender',
      label: 'Sends',
      rules: rules.map((one) => ({ ...one, actions: [...one.actions] })),
    },
  })
  await server.fire(made.id, {})
  await expect.poll(async () => (await stateOf(made.id)).stopped?.code, patience).toBe('right_lost')
  expect(await server.runsOf(made.id)).toMatchObject([
    { kind: 'failed', reason: 'right_lost', text: expect.stringContaining('WEBHOOK_ACTION') },
    { kind: 'acted' },
  ])
  const inbox = server.server.as(theo, notificationsContract)
  await expect
    .poll(async () => (await inbox.inbox({ query })).data.map(({ subject }) => subject), patience)
    .toContain('Your trigger Told does not run any more')
  // Who resumes it must have the right; then it acts with theirs.
  const asOwner = server.as(theo).resumeTrigger({ params: { id: made.id }, query, body: {} })
  await expect(asOwner).rejects.toMatchObject({ status: 403 })
  const resumed = await server.admin.resumeTrigger({ params: { id: made.id }, query, body: {} })
  expect(resumed).toMatchObject({ owner: 'adam', longreach: { state: 'active' } })
})

test('[R-23] a device that is purged takes its runs, throttles and waiting firings along, and nothing of others', async () => {
  const actions = [
    { type: 'ATTRIBUTE_ACTION', attribute: 'seen', throttlingIntervalInMSec: 60_000 },
  ]
  const body = server.body()
  const { id } = await server.create({ triggerData: { ...body.triggerData, actions } })
  const other = await server.newDevice('Oven 9')
  await server.fire(id, {}, { deviceId: other.id, deviceLabel: 'Oven 9' })
  await server.runs(id, 2)
  const gone = { deviceId: other.id, orgResourceId: organization, label: 'Oven 9' }
  await tell(mappingsContract.events.deviceLife, { ...gone, state: 'deleted' })
  await server.server.settle()
  expect(await server.runsOf(id)).toHaveLength(2)
  await tell(mappingsContract.events.deviceLife, { ...gone, state: 'purged' })
  await expect
    .poll(async () => (await server.runsOf(id)).map(({ deviceLabel }) => deviceLabel), patience)
    .toEqual(['Oven 7'])
  expect(await rowsOf(id)).toMatchObject({ trigger: 1, fired: 1, throttle: 1, run: 1 })
})

test('[R-23] triggers of an organization that is purged go with all that they left, and others stay', async () => {
  const { neighbour } = server.people
  const press = { organization: 'nordwerk.press' }
  const { triggerData } = server.body()
  const gone = await server.as(neighbour).createTrigger({
    query: press,
    body: { name: 'Gone', triggerData: { ...triggerData, actions: [] } },
  })
  await server.as(neighbour).setBlockedActions({
    query: press,
    body: {
      webhookAction: true,
      emailAction: false,
      attributeAction: false,
      telegramAction: false,
      teamsAction: false,
    },
  })
  const { id: kept } = await server.create({ triggerData: { ...triggerData, actions: [] } })
  const device = await server.newDevice('Press 1', 'nordwerk.press')
  await server.fire(gone.id, { deviceId: device.id, orgResourceId: 'nordwerk.press' })
  await server.fire(kept, {})
  await server.runs(kept, 1)
  await expect.poll(async () => (await rowsOf(gone.id))['run'], patience).toBe(1)
  await tell(coreContract.events.organizationPurged, {
    resourceId: 'nordwerk.press',
    organizations: [{ id: 1, resourceId: 'nordwerk.press' }],
    at: Date.now(),
  })
  await expect.poll(() => rowsOf(gone.id), patience).toEqual(nothing)
  expect(await rowsOf(kept)).toMatchObject({ trigger: 1, run: 1 })
  const blocked = server.db
    .selectFrom('blocked_actions')
    .selectAll()
    .where('org', '=', 'nordwerk.press')
  expect(await blocked.execute()).toEqual([])
})

test('[R-23] firings that waited while their process was down are judged by another, once', async () => {
  const { triggerData } = server.body()
  const { id } = await server.create({ triggerData: { ...triggerData, actions: [] } })
  const t = Date.now() - 5_000
  // The same firings told by two processes: one took the device over while the other judged it.
  await Promise.all([server.fire(id, { t }), server.fire(id, { t })])
  await server.fire(id, { t: t + 1_000 })
  await expect
    .poll(async () => (await server.runsOf(id)).map(({ firedAt }) => firedAt).toSorted(), patience)
    .toEqual([t, t + 1_000])
  expect(await stateOf(id)).toMatchObject({ counters: { counterIn: 2 } })
})

const fixed = { type: 'ATTRIBUTE_ACTION', attribute: { name: 'tried', value: 7 } }

test('[R-23] a trigger is run by hand for a device: once, with its throttling, and in the audit trail', async () => {
  const { triggerData } = server.body()
  const actions = [{ ...fixed, throttlingIntervalInMSec: 3_600_000 }]
  const { id } = await server.create({ triggerData: { ...triggerData, actions } })
  const run = () =>
    server.admin.runTrigger({ params: { id }, query, body: { deviceId: server.device.id } })
  const { firedAt } = await run()
  const [first] = await server.runs(id, 1)
  expect(first).toMatchObject({
    kind: 'acted',
    firedAt,
    text: 'Run by hand by adam.',
    actions: [{ state: 'DONE' }],
  })
  const device = await server.mappings.device({ params: { id: server.device.id }, query })
  expect(JSON.stringify(device)).toContain('"tried":7')
  await run()
  const runs = await server.runs(id, 2)
  expect(runs.map(({ reason }) => reason).toSorted()).toEqual(['fired', 'throttled'])
})

test('[R-23] what may not be run by hand is refused with the reason', async () => {
  const { triggerData } = server.body()
  const { id } = await server.create({ triggerData: { ...triggerData, actions: [fixed] } })
  const body = { deviceId: server.device.id }
  const asked = { params: { id }, query, body }
  const { viewer, foreigner } = server.people
  await expect(server.as(viewer).runTrigger(asked)).rejects.toMatchObject({ status: 403 })
  const elsewhere = server.as(foreigner).runTrigger({ ...asked, query: { organization: 'acqua' } })
  await expect(elsewhere).rejects.toMatchObject({ status: 404 })
  const press = await server.newDevice('Press 2', 'nordwerk.press')
  await expect(
    server.admin.runTrigger({ ...asked, body: { deviceId: press.id } }),
  ).rejects.toMatchObject({ status: 404, details: { field: 'deviceId' } })
  await expect(
    server.admin.runTrigger({ ...asked, body: { deviceId: 'oven' } }),
  ).rejects.toMatchObject({ status: 400, details: { fields: [{ field: 'deviceId' }] } })
  const open = await server.create({
    triggerData: { ...triggerData, actions: [{ type: 'ATTRIBUTE_ACTION', attribute: 'tried' }] },
  })
  await expect(
    server.admin.runTrigger({ ...asked, params: { id: open.id } }),
  ).rejects.toMatchObject({ status: 422, details: { places: ['actions.0'] } })
  const off = await server.create({ disabled: true })
  await expect(server.admin.runTrigger({ ...asked, params: { id: off.id } })).rejects.toMatchObject(
    { status: 409, code: 'triggers.not_running' },
  )
})
