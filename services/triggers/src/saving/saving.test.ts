import { coreContract } from '@longreach/core/contract'
import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TriggersDb } from '../database.ts'
import {
  band,
  organization,
  path,
  query,
  type TriggersTest,
  triggersTest,
  webhook,
} from '../triggers-testing.ts'
import { ownBlockedTypes } from './blocked-store.ts'

let server: TriggersTest
beforeAll(async () => {
  server = await triggersTest()
})
afterAll(() => server.close())

const params = (id: string) => ({ id })

test('[R-23] a trigger is saved complete, listed, replaced as its next version, and deleted', async () => {
  const made = await server.create({ disabled: null, deviceGroups: [] })
  expect(made).toMatchObject({
    name: 'Too hot',
    orgResourceId: organization,
    owner: 'adam',
    disabled: false,
    triggerData: {
      policy: band,
      locale: null,
      actions: [{ type: 'WEBHOOK_ACTION', stateful: false, uuid: expect.any(String) }],
      longreach: { actions: [], below: false },
    },
    longreach: { version: 1, state: 'active', stopped: null, lastRunAt: null, secrets: [] },
  })
  const list = await server.as(server.people.viewer).triggers({ query })
  expect(list).toMatchObject({
    number: 0,
    totalElements: 1,
    last: true,
    content: [{ id: made.id }],
  })
  const { triggerData } = made
  const changed = await server.admin.replaceTrigger({
    params: params(made.id),
    query,
    body: {
      ...made,
      name: 'Hot',
      triggerData: { ...triggerData, policy: { ...band, min: 70 } },
    } as never,
  })
  expect(changed).toMatchObject({ name: 'Hot', longreach: { version: 2 } })
  const stale = server.admin.replaceTrigger({ params: params(made.id), query, body: made as never })
  await expect(stale).rejects.toMatchObject({
    status: 409,
    code: 'triggers.changed',
    details: { version: 2 },
  })
  await server.admin.deleteTrigger({ params: params(made.id), query })
  const gone = server.admin.trigger({ params: params(made.id), query })
  await expect(gone).rejects.toMatchObject({ status: 404 })
})

test('[R-23] of two who replace the same version at once one is refused', async () => {
  const made = await server.create()
  const replace = (name: string) =>
    server.admin.replaceTrigger({
      params: params(made.id),
      query,
      body: { ...server.body(), name, longreach: { version: 1 } },
    })
  const ends = await Promise.allSettled([replace('one'), replace('two')])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const now = await server.admin.trigger({ params: params(made.id), query })
  expect(now.longreach.version).toBe(2)
})

test('[R-23] other organizations see nothing, and each call needs its permission', async () => {
  const made = await server.create()
  const { neighbour, foreigner, member, viewer, operator } = server.people
  for (const other of [neighbour, foreigner]) {
    const calls = server.as(other)
    const own = { organization: other === neighbour ? 'nordwerk.press' : 'acqua' }
    expect((await calls.triggers({ query: own })).totalElements).toBe(0)
    expect((await calls.runs({ query: own })).data).toEqual([])
    const asked = { params: params(made.id), query: own }
    for (const one of [
      () => calls.trigger(asked),
      () => calls.replaceTrigger({ ...asked, body: server.body() }),
      () => calls.deleteTrigger(asked),
      () => calls.resumeTrigger({ ...asked, body: {} }),
      () => calls.counters(asked),
      () => calls.runsOfTrigger(asked),
      () => calls.run({ ...asked, params: { id: made.id, run: made.id } }),
      () => calls.validateTrigger({ query: own, body: { id: made.id, trigger: {} } }),
    ]) {
      await expect(one()).rejects.toMatchObject({ status: 404 })
    }
  }
  await expect(server.as(member).triggers({ query })).rejects.toMatchObject({ status: 403 })
  for (const reader of [viewer, operator]) {
    const calls = server.as(reader)
    for (const one of [
      () => calls.createTrigger({ query, body: server.body() }),
      () => calls.deleteTrigger({ params: params(made.id), query }),
      () => calls.setBlockedActions({ query, body: nothingBlocked }),
    ]) {
      await expect(one()).rejects.toMatchObject({ status: 403 })
    }
  }
  const asService = server.as(viewer).triggersForDevice({
    params: { deviceId: server.device.id },
    query: { orgResourceId: organization },
  })
  await expect(asService).rejects.toMatchObject({ status: 403 })
})

const nothingBlocked = {
  webhookAction: false,
  emailAction: false,
  attributeAction: false,
  telegramAction: false,
  teamsAction: false,
}

test('[R-23] secrets are never answered, and stay where they are left empty', async () => {
  const telegram = {
    type: 'TELEGRAM_ACTION' as const,
    uuid: 'chat',
    telegramConfig: { token: '123:secret-token', chatId: 42 },
  }
  const hook = webhook(server.hook.url, { uuid: 'hook' })
  const withHeader = {
    ...hook,
    webhookConfig: { ...hook.webhookConfig, headers: { Authorization: 'Bearer secret-token' } },
  }
  const made = await server.create({
    triggerData: { policy: band, actions: [telegram, withHeader] },
  })
  expect(JSON.stringify(made)).not.toContain('secret-token')
  expect(made.longreach.secrets).toEqual(['chat/token', 'hook/headers.Authorization'])
  const again = await server.admin.replaceTrigger({
    params: params(made.id),
    query,
    body: made as never,
  })
  expect(again.longreach.secrets).toEqual(made.longreach.secrets)
  const missing = server.create({
    triggerData: { policy: band, actions: [{ ...telegram, telegramConfig: { chatId: 1 } }] },
  })
  await expect(missing).rejects.toMatchObject({
    status: 422,
    details: { issues: [{ place: 'actions.0.telegramConfig.token', code: 'secret_missing' }] },
  })
  const row = await server.db.selectFrom('trigger').selectAll().where('id', '=', made.id).execute()
  expect(JSON.stringify(row)).not.toContain('secret-token')
})

const own = (...actions: object[]) => ({ policy: band, longreach: { actions } })

test('[R-23] faults name their place: policy, addresses, templates, groups, devices, what is not offered', async () => {
  const refused = async (triggerData: object, more: object = {}) => {
    const error = await server.create({ triggerData, ...more }).then(
      () => undefined,
      (reason: { status: number; details: { issues: { place: string; code: string }[] } }) =>
        reason,
    )
    expect(error?.status).toBe(422)
    return error?.details.issues.map(({ place, code }) => `${place} ${code}`)
  }
  expect(await refused({ policy: { ...band, min: undefined } })).toEqual(['policy.min missing'])
  expect(await refused({ policy: band, actions: [webhook('http://10.0.0.1/')] })).toEqual([
    'actions.0.webhookConfig.url address_refused',
  ])
  const broken = webhook(server.hook.url)
  const templates = { ...broken.webhookConfig, template: '{"v": "{{nothing}}"}' }
  expect(
    await refused({ policy: band, actions: [{ ...broken, webhookConfig: templates }] }),
  ).toEqual(['actions.0.webhookConfig.template template_invalid'])
  const mail = { type: 'EMAIL_ACTION', emailConfig: { emailTo: 'not an address' } }
  expect(await refused({ policy: band, actions: [mail] })).toEqual([
    'actions.0.emailConfig.emailTo invalid',
  ])
  expect(await refused({ policy: band }, { deviceGroups: [987_654] })).toEqual([
    'deviceGroups.0 unknown_group',
  ])
  const foreign = await server.newDevice('Foreign', 'nordwerk.press')
  expect(
    await refused(own({ type: 'WRITE', path: 'Oven:1/speed', deviceId: foreign.id, value: 1 })),
  ).toEqual(['longreach.actions.0.deviceId unknown_device'])
  expect(await refused(own({ type: 'SHARE_DASHBOARD', dashboardId: 'x', minutes: 5 }))).toEqual([
    'longreach.actions.0.type not_offered',
  ])
  expect(await refused({ policy: band, timezone: 'Mars' })).toEqual(['timezone unknown_zone'])
})

test('[R-23] a connection of remote access is kept exactly as it was posted', async () => {
  const policy = { type: 'CONNECTION', source: 'VPN', status: 'ON', time: 60_000, uuid: 'vpn' }
  const made = await server.create({ triggerData: { policy } })
  expect(made.triggerData.policy).toEqual(policy)
  const read = await server.admin.trigger({ params: params(made.id), query })
  expect(read.triggerData.policy).toEqual(policy)
  const asked = { params: { deviceId: server.device.id }, query: { orgResourceId: organization } }
  const { triggers } = await server.internal.triggersForDevice(asked)
  expect(triggers.find(({ id }) => id === made.id)?.policy).toEqual(policy)
})

test('[R-23] a trigger that feeds itself, alone or through others, is refused with the chain in words', async () => {
  const self = server.create({ triggerData: own({ type: 'WRITE', path, value: 60 }) })
  await expect(self).rejects.toMatchObject({
    status: 422,
    code: 'triggers.loop',
    details: { chain: [{ name: 'Too hot', path }] },
  })
  const looking = (at: string, writes: string, name: string) => ({
    name,
    triggerData: {
      policy: { ...band, modelPathMatcher: at },
      longreach: { actions: [{ type: 'WRITE', path: writes, value: 1 }] },
    },
  })
  await server.create(looking('Pump:1/a', 'Pump:1/b', 'A'))
  await server.create(looking('Pump:1/b', 'Pump:1/c', 'B'))
  const third = looking('Pump:1/*', 'Pump:1/a', 'C')
  const loop = server.create({
    ...third,
    triggerData: { ...third.triggerData, policy: { ...band, modelPathMatcher: 'Pump:1/c' } },
  })
  await expect(loop).rejects.toMatchObject({
    code: 'triggers.loop',
    details: {
      chain: [{ name: 'C' }, { name: 'A', path: 'Pump:1/b' }, { name: 'B', path: 'Pump:1/c' }],
      message: expect.stringContaining('“A” writes Pump:1/b, so “B” writes Pump:1/c, so “C” fires'),
    },
  })
  const checked = await server.admin.validateTrigger({ query, body: { trigger: third } })
  expect(checked.ok).toBe(false)
  expect(checked.loop.length).toBeGreaterThan(0)
})

test('[R-23] nobody saves a trigger that does what they may not do', async () => {
  const { owner } = server.people
  await server.core(owner).createRole({
    params: { org: organization },
    body: {
      name: 'trigger-maker',
      label: 'Makes triggers',
      rules: [
        { resource: 'triggers', actions: ['read', 'create', 'update'] },
        { resource: 'devices', actions: ['read'] },
      ],
    },
  })
  const maker = await server.addPerson('theo', 'trigger-maker')
  const calls = server.as(maker)
  const quiet = await calls.createTrigger({
    query,
    body: { name: 'Quiet', triggerData: { policy: band } },
  })
  expect(quiet.owner).toBe('theo')
  const beyond = calls.createTrigger({ query, body: server.body() })
  await expect(beyond).rejects.toMatchObject({
    status: 403,
    code: 'triggers.beyond_own_rights',
    details: { missing: [{ place: 'actions.0', permission: 'notifications:update' }] },
  })
})

test('[R-23] actions that are switched off are named with the reason, counted, and in the audit trail', async () => {
  const { owner, viewer } = server.people
  const above = { organization: 'nordwerk' }
  const root = server.as(owner)
  const before = await root.blockableActions({ query: above })
  await server.create()
  const after = await root.blockableActions({ query: above })
  expect(after.webhookAction).toEqual({
    here: before.webhookAction.here,
    below: before.webhookAction.below + 1,
  })
  expect((await server.admin.blockableActions({ query })).webhookAction).toMatchObject({
    here: after.webhookAction.below,
    below: 0,
  })
  // A trigger of an organization beside counts above it, and not here.
  const beside = { organization: 'nordwerk.press' }
  const neighbour = server.as(server.people.neighbour)
  const made = await neighbour.createTrigger({ query: beside, body: server.body() })
  expect((await root.blockableActions({ query: above })).webhookAction.below).toBe(
    after.webhookAction.below + 1,
  )
  expect((await server.admin.blockableActions({ query })).webhookAction.below).toBe(0)
  await neighbour.deleteTrigger({ params: { id: made.id }, query: beside })
  const blocked = await root.setBlockedActions({
    query: above,
    body: { ...nothingBlocked, telegramAction: true },
  })
  const { reasons, own: ownKinds, changedBy } = blocked.longreach
  expect(blocked).toMatchObject({ ...nothingBlocked, telegramAction: true })
  expect([reasons.telegramAction, reasons.webhookAction, changedBy]).toEqual([
    'here',
    null,
    owner.username,
  ])
  expect(ownKinds).toEqual({ ...nothingBlocked, telegramAction: true })
  // A client sends back what it was answered: what is switched off above stays off, also when it is said on below.
  const below = await server.admin.setBlockedActions({ query, body: nothingBlocked })
  expect(below).toMatchObject({
    telegramAction: true,
    longreach: { reasons: { telegramAction: 'above' }, own: nothingBlocked },
  })
  const tables = server.server.database.db.withSchema('triggers') as unknown as Kysely<TriggersDb> // its tables
  expect(await ownBlockedTypes(tables, 'nordwerk')).toEqual(['TELEGRAM_ACTION'])
  expect(await ownBlockedTypes(tables, organization)).toEqual([])
  delete server.server.site.mail
  expect(await server.as(viewer).blockedActions({ query })).toMatchObject({
    emailAction: true,
    longreach: { reasons: { emailAction: 'no_mail_server' } },
  })
  server.server.site.mail = server.post.settings
  const both = ['webhookAction', 'teamsAction'].map((kind) =>
    root.setBlockedActions({ query: above, body: { ...nothingBlocked, [kind]: true } }),
  )
  await Promise.all(both)
  const last = (await root.blockedActions({ query: above })).longreach.own
  expect(Object.values(last).filter(Boolean)).toHaveLength(1)
  await root.setBlockedActions({ query: above, body: nothingBlocked })
  expect((await root.blockedActions({ query: above })).longreach.own).toEqual(nothingBlocked)
})

test('[R-23] of 500 triggers of an organization no more are made, and those beside and above do not count', async () => {
  const { pool } = server.server.database
  const made = await server.create({ name: 'Same' })
  const fill = (org: string, count: number) =>
    pool.query(
      `insert into triggers.trigger select (jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid(), 'org', $2::text, 'name', 'filled'))).* from triggers.trigger t, generate_series(1, $3::int)
       where t.id = $1`,
      [made.id, org, count],
    )
  await fill('nordwerk.press', 500)
  const one = await server.create({ name: 'One more' })
  await fill(organization, 500)
  await expect(server.create()).rejects.toMatchObject({ status: 422, code: 'triggers.too_many' })
  await pool.query(`delete from triggers.trigger where name = 'filled'`)
  // One above that does not reach down judges no device here.
  await fill('nordwerk', 1)
  const asked = { params: { deviceId: server.device.id }, query: { orgResourceId: organization } }
  const { triggers } = await server.internal.triggersForDevice(asked)
  expect(triggers.map(({ id }) => id)).toEqual(expect.arrayContaining([made.id, one.id]))
  expect(new Set(triggers.map(({ orgResourceId }) => orgResourceId))).toEqual(
    new Set([organization]),
  )
  await pool.query(`delete from triggers.trigger where name in ('filled', 'Same', 'One more')`)
})

test('[R-23] another organization may neither see nor switch what is blocked', async () => {
  const { foreigner } = server.people
  const calls = server.as(foreigner)
  for (const one of [
    () => calls.blockedActions({ query }),
    () => calls.blockableActions({ query }),
    () => calls.setBlockedActions({ query, body: nothingBlocked }),
  ]) {
    await expect(one()).rejects.toMatchObject({ status: 404 })
  }
  const wrong = server.admin.setBlockedActions({
    query,
    body: { ...nothingBlocked, emailAction: 'yes' } as never,
  })
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'emailAction', rule: 'type' }] },
  })
})

test('[R-23] a purged organization leaves no trigger, and those beside keep theirs', async () => {
  const made = await server.create({ name: 'Purged' })
  const left = async () =>
    (
      await server.server.database.pool.query<{ org: string }>(
        'select distinct org from triggers.trigger order by org',
      )
    ).rows.map(({ org }) => org)
  await server.server.database.pool.query(
    `insert into triggers.trigger select (jsonb_populate_record(t,
       jsonb_build_object('id', gen_random_uuid(), 'org', t.org || 'plus'))).* from triggers.trigger t where id = $1`,
    [made.id],
  )
  expect(await left()).toEqual([organization, `${organization}plus`])
  await server.server.database.db.transaction().execute((tx) =>
    publish(tx, coreContract.events.organizationPurged, {
      resourceId: organization,
      organizations: [{ id: 1, resourceId: organization }],
      at: 0,
    }),
  )
  await server.server.settle()
  expect(await left()).toEqual([`${organization}plus`])
  await server.server.database.pool.query('delete from triggers.trigger')
})
