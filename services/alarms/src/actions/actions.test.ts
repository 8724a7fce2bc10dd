import { bitOf } from '@longreach/authorization/capability'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditRecorded } from '@longreach/kit/audit-trail'
import { timelineRecorded } from '@longreach/mappings/time-line-contract'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'
import { alarmsContract } from '../contract.ts'
import { actAloneOverdue } from './command-timeout.ts'

let server: TestAlarms
let now = new Date('2026-01-05T12:00:00Z')
let org = ''
let number = 0
beforeAll(async () => {
  server = await testAlarms(() => now)
})
afterAll(() => server.close())
beforeEach(() => {
  number += 1
  org = `plant-${number}`
})

const query = {}
const reportOf = (deviceId: string, more: object = {}) => ({
  deviceId,
  name: 'Overheat',
  description: '',
  tag: '',
  severity: 3,
  state: 11,
  startedAt: now.getTime() - 60_000,
  changedAt: now.getTime(),
  heardAt: now.getTime(),
  certificate: 'c1',
  value: null,
  ...more,
})

/** An alarm of a device that was reported under a certificate. */
async function reported(more: object = {}) {
  const ann = server.member('ann', org)
  const deviceId = server.addDevice(org)
  await server.report(reportOf(deviceId, more))
  const only = async () =>
    (await ann.searchAlarms({ query, body: { data: `deviceId == "${deviceId}"` } })).data[0]!
  const take = (certificate = 'c1', connectedMs = 0) =>
    server
      .asService(alarmsContract)
      .takeCommands({ params: { deviceId }, body: { certificate, connectedMs } })
  return { ann, deviceId, only, take, id: (await only()).id }
}

test('a command waits for the device, is handed out once, and the answer of the device ends it [T-07]', async () => {
  const { ann, deviceId, only, take, id } = await reported()
  const acted = await ann.acknowledge({ query, body: { id, comment: 'on my way' } })
  expect(acted).toEqual({ done: [id], skipped: [] })
  expect(await only()).toMatchObject({ ack: 'REQUIRED', longreach: { command: 'WAITING' } })
  const { commands } = await take()
  expect(commands).toEqual([
    {
      id: expect.any(String),
      deviceId,
      name: 'Overheat',
      command: 'ack',
      startedAt: now.getTime() - 60_000,
      user: 'ann@exor',
      comment: 'on my way',
      certificate: 'c1',
    },
  ])
  expect(await take()).toEqual({ commands: [] })
  expect((await only()).longreach.command).toBe('SENT')
  await server.report(reportOf(deviceId, { state: 23, changedAt: now.getTime() + 500 }))
  expect(await only()).toMatchObject({
    ack: 'NOT_REQUIRED',
    reset: 'REQUIRED',
    action: 'ACK',
    platformAction: false,
    comment: 'on my way',
    longreach: { command: null },
  })
  const { history } = await ann.alarmDetail({ params: { id }, query })
  expect(history.at(-1)?.longreach).toMatchObject({
    kind: 'acknowledged',
    by: 'ann@exor',
    comment: 'on my way',
  })
})

test('without an answer for 10 s the platform acts alone', async () => {
  const { ann, deviceId, only, take, id } = await reported()
  await ann.acknowledge({ query, body: { id } })
  await take()
  const sent = now
  now = new Date(sent.getTime() + 9_999)
  await actAloneOverdue({ db: server.tables, now: () => now })
  expect((await only()).platformAction).toBe(false)
  now = new Date(sent.getTime() + 10_000)
  await Promise.all([1, 2].map(() => actAloneOverdue({ db: server.tables, now: () => now })))
  expect(await only()).toMatchObject({
    ack: 'NOT_REQUIRED',
    platformAction: true,
    action: 'ACK',
    longreach: { command: 'UNANSWERED' },
  })
  const { history } = await ann.alarmDetail({ params: { id }, query })
  expect(history.map(({ longreach: { kind, by } }) => [kind, by])).toEqual([
    ['raised', null],
    ['acknowledged', 'ann@exor'],
  ])
  await server.report(reportOf(deviceId, { state: 1, changedAt: now.getTime() }))
  expect(await only()).toMatchObject({ status: 'NOT_ACTIVE', ack: 'NOT_REQUIRED' })
})

test('a device that started anew gets no command of before; the platform acts alone', async () => {
  const { ann, only, take, id } = await reported()
  await ann.acknowledge({ query, body: { id } })
  expect(await take('c2')).toEqual({ commands: [] })
  expect(await only()).toMatchObject({ ack: 'NOT_REQUIRED', platformAction: true })
  expect(await take('c1')).toEqual({ commands: [] })
})

test('a command waits until the device reports the alarm in its new connection, and the platform is told then', async () => {
  const { ann, deviceId, only, take, id } = await reported({ certificate: 'c1.first' })
  await ann.acknowledge({ query, body: { id } })
  expect(await take('c1.second', 3_000)).toEqual({ commands: [], askAgainMs: 7_000 })
  expect((await only()).longreach.command).toBe('WAITING')
  const waiting = async () => {
    const { rows } = await server.database.pool.query<{ deviceId: string }>(
      `select payload ->> 'deviceId' as "deviceId" from bus.event
       where topic = '${alarmsContract.events.commandWaiting.topic}'`,
    )
    return rows.filter((row) => row.deviceId === deviceId).length
  }
  const told = await waiting()
  await server.report(
    reportOf(deviceId, { state: 9, changedAt: now.getTime() + 1, certificate: 'c1.second' }),
  )
  expect(await waiting()).toBe(told + 1)
  expect((await take('c1.second', 4_000)).commands).toMatchObject([{ command: 'ack' }])
})

test('a device that repeats the newest state of its alarm as it was gets the command that waited [E-15]', async () => {
  const { ann, deviceId, only, take, id } = await reported({ certificate: 'c1.first' })
  await ann.acknowledge({ query, body: { id } })
  await take('c1.second', 100)
  await server.report(reportOf(deviceId, { certificate: 'c1.second' }))
  expect((await take('c1.second', 200)).commands).toMatchObject([{ command: 'ack' }])
  const { history } = await ann.alarmDetail({ params: { id }, query })
  expect(history.map(({ longreach: { kind } }) => kind)).toEqual(['raised'])
  expect((await only()).longreach.command).toBe('SENT')
})

test('of an alarm that the device does not repeat within 10 s of its connection, the platform acts alone', async () => {
  const { ann, only, take, id } = await reported({ certificate: 'c1.first' })
  await ann.acknowledge({ query, body: { id } })
  expect(await take('c1.second', 9_999)).toEqual({ commands: [], askAgainMs: 1 })
  expect(await only()).toMatchObject({ ack: 'REQUIRED', platformAction: false })
  expect(await take('c1.second', 10_000)).toEqual({ commands: [] })
  expect(await only()).toMatchObject({ ack: 'NOT_REQUIRED', action: 'ACK', platformAction: true })
  expect(await take('c1.first', 60_000)).toEqual({ commands: [] })
})

test('a command that the alarm does not ask for any more is not sent', async () => {
  const { ann, deviceId, take, id } = await reported()
  await ann.acknowledge({ query, body: { id } })
  await server.report(reportOf(deviceId, { state: 7, changedAt: now.getTime() + 1 }))
  expect(await take()).toEqual({ commands: [] })
})

test('a reset waits for the acknowledgement and for the end of the alarm; a clear goes to no device', async () => {
  const { ann, deviceId, take, id } = await reported()
  const refused = (reason: string) => ({
    status: 409,
    code: `alarms.${reason}`,
    details: { message: expect.any(String) },
  })
  await expect(ann.reset({ query, body: { id } })).rejects.toMatchObject(refused('ack_first'))
  await server.report(reportOf(deviceId, { state: 23, changedAt: now.getTime() + 1 }))
  await expect(ann.reset({ query, body: { id } })).rejects.toMatchObject(refused('still_active'))
  await server.report(reportOf(deviceId, { state: 21, changedAt: now.getTime() + 2 }))
  await ann.reset({ query, body: { id } })
  await expect(ann.reset({ query, body: { id } })).rejects.toMatchObject(refused('already'))
  expect((await take()).commands).toMatchObject([{ command: 'reset' }])
  await ann.clear({ query, body: { id } })
  expect(await take()).toEqual({ commands: [] })
  const states = await server.tables
    .selectFrom('command')
    .select('state')
    .where('occurrence', '=', id)
    .execute()
  expect(states).toEqual([{ state: 'DONE' }])
})

test('of many people at once, exactly one acknowledges', async () => {
  for (const certificate of ['', 'c1']) {
    const { ann, id } = await reported({ certificate })
    const ben = server.member('ben', org)
    const calls = Array.from({ length: 8 }, (_, at) =>
      (at % 2 === 0 ? ann : ben).acknowledge({ query, body: { ids: [id] } }),
    )
    const answers = await Promise.all(calls)
    expect(answers.flatMap(({ done }) => done)).toEqual([id])
    expect(answers.flatMap(({ skipped }) => skipped)).toEqual(
      Array.from({ length: 7 }, () => ({ id, reason: 'already' })),
    )
  }
})

test('ids that are foreign, closed or doubled are skipped with the reason, in one answer', async () => {
  const { ann, deviceId, id } = await reported()
  const other = await reported()
  const eve = server.member('eve', 'elsewhere')
  await server.report(reportOf(deviceId, { name: 'over', state: 1 }))
  const over = (await ann.searchAlarms({ query, body: { data: 'name == "over"' } })).data[0]!.id
  const unknown = 'A'.repeat(22)
  const answer = await ann.acknowledge({ query, body: { ids: [id, id, unknown, over] } })
  expect(answer).toEqual({
    done: [id],
    skipped: [
      { id: unknown, reason: 'not_found' },
      { id: over, reason: 'closed' },
    ],
  })
  const foreign = await eve.acknowledge({
    query: { organization: 'elsewhere' },
    body: { ids: [other.id] },
  })
  expect(foreign).toEqual({ done: [], skipped: [{ id: other.id, reason: 'not_found' }] })
  for (const call of [eve.acknowledge, eve.reset, eve.clear])
    await expect(call({ query, body: { id: other.id } })).rejects.toMatchObject({
      status: 404,
      code: 'alarms.not_found',
    })
  for (const all of [eve.acknowledgeAll, eve.resetAll, eve.clearAll])
    expect(await all({ query, body: { ids: [other.id] } })).toMatchObject({ done: [] })
  expect(await eve.clearAll({ query, body: {} })).toMatchObject({ done: [], total: 0 })
})

test('who may not acknowledge, reset or clear is refused', async () => {
  const { id } = await reported()
  const reader = server.member('rea', org, {
    capability: { grants: { alarms: bitOf('read'), devices: bitOf('read') }, deviceGroups: [] },
  })
  const calls = [
    reader.acknowledge,
    reader.reset,
    reader.clear,
    reader.acknowledgeAll,
    reader.resetAll,
    reader.clearAll,
  ]
  for (const call of calls)
    await expect(call({ query, body: { ids: [id] } })).rejects.toMatchObject({
      status: 403,
      code: 'auth.missing_permission',
    })
  const named = { params: { id }, query }
  await expect(reader.comment({ ...named, body: { comment: 'x' } })).rejects.toMatchObject({
    status: 403,
  })
  await expect(reader.assign({ ...named, body: { assignee: 'x' } })).rejects.toMatchObject({
    status: 403,
  })
})

test('comments and the person who takes care are kept, also of an alarm that is over', async () => {
  const { ann, deviceId, only, id } = await reported({ certificate: '' })
  server.member('ben', org)
  const named = { params: { id }, query }
  await ann.comment({ ...named, body: { comment: '  valve is stuck ' } })
  await ann.assign({ ...named, body: { assignee: 'ben@exor' } })
  await server.report(reportOf(deviceId, { state: 1, changedAt: now.getTime() + 1 }))
  await ann.comment({ ...named, body: { comment: 'repaired' } })
  const alarm = await only()
  expect(alarm).toMatchObject({
    comment: 'repaired',
    longreach: { comments: 2, assignee: 'ben@exor' },
  })
  const history = (await ann.alarmHistory(named)).data.map(
    ({ longreach: { kind, by, comment } }) => [kind, by, comment],
  )
  expect(history).toEqual(
    expect.arrayContaining([
      ['commented', 'ann@exor', 'valve is stuck'],
      ['assigned', 'ann@exor', 'ben@exor'],
      ['commented', 'ann@exor', 'repaired'],
    ]),
  )
  await ann.assign({ ...named, body: { assignee: null } })
  expect((await only()).longreach.assignee).toBeNull()
  const eve = server.member('eve', 'elsewhere')
  await expect(eve.comment({ ...named, body: { comment: 'x' } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(eve.assign({ ...named, body: { assignee: 'x' } })).rejects.toMatchObject({
    status: 404,
  })
})

test('only a person who may read the device takes care of its alarm, and one who is gone is shown as such', async () => {
  const { ann, id } = await reported()
  const named = { params: { id }, query }
  const assign = (assignee: string) => ann.assign({ ...named, body: { assignee } })
  const unknown = { status: 422, code: 'alarms.assignee_unknown', details: { field: 'assignee' } }
  server.member('blind', org, { capability: { grants: {}, deviceGroups: [] } })
  server.member('grouped', org, {
    capability: {
      grants: { alarms: bitOf('read') },
      deviceGroups: [{ mask: bitOf('read'), groups: [77] }],
    },
  })
  server.member('mia', 'elsewhere')
  for (const name of ['nobody', 'blind', 'grouped', 'mia'])
    await expect(assign(name)).rejects.toMatchObject(unknown)
  expect((await ann.alarmDetail(named)).alarm.longreach.assignee).toBeNull()
  server.member('carl', org)
  await assign('carl')
  expect((await ann.alarmDetail(named)).assigneeIsGone).toBe(false)
  server.removeMember('carl', org)
  expect((await ann.alarmDetail(named)).assigneeIsGone).toBe(true)
})

test('bad input names the field', async () => {
  const { ann, id } = await reported()
  const bad: [call: Promise<unknown>, field: string][] = [
    [ann.acknowledge({ query, body: {} }), 'id'],
    [ann.acknowledge({ query, body: { id: 'x' } }), 'id'],
    [ann.acknowledge({ query, body: { ids: [] } }), 'ids'],
    [ann.acknowledge({ query, body: { ids: Array.from({ length: 1_001 }, () => id) } }), 'ids'],
    [ann.acknowledge({ query, body: { id, comment: 'x'.repeat(2_001) } }), 'comment'],
    [ann.clearAll({ query, body: { filter: { severities: [9] } } }), 'filter.severities.0'],
    [ann.clearAll({ query, body: { filter: { deviceId: 'x' } } }), 'filter.deviceId'],
    [ann.comment({ params: { id }, query, body: { comment: ' ' } }), 'comment'],
    [ann.assign({ params: { id }, query, body: { assignee: 'x'.repeat(501) } }), 'assignee'],
  ]
  for (const [call, field] of bad)
    await expect(call).rejects.toMatchObject({ status: 400, details: { fields: [{ field }] } })
  await expect(ann.clearAll({ query, body: { data: 'nope == 1' } })).rejects.toMatchObject({
    status: 400,
    code: 'alarms.bad_expression',
    details: { field: 'data', place: 1 },
  })
})

test('each action has an audit entry and an entry in the time-line of the device', async () => {
  const { ann, deviceId, id } = await reported({ certificate: '' })
  await ann.acknowledge({ query, body: { id, comment: 'seen' } })
  const events = await server.database.pool.query<{ topic: string; payload: object }>(
    `select topic, payload from bus.event where topic in ('${auditRecorded.topic}', '${timelineRecorded.topic}')
     and payload::text like '%' || $1 || '%' order by id`,
    [id],
  )
  const told = events.rows.map(({ topic, payload }) => ({ topic, value: payload }))
  expect(
    told.filter(({ topic }) => topic === auditRecorded.topic).map(({ value }) => value),
  ).toMatchObject([
    {
      call: 'alarms.acknowledge',
      resource: 'alarms',
      action: 'ack',
      id,
      label: 'Overheat',
      organization: org,
      outcome: 'done',
      before: { ackRequired: true },
      after: { ackRequired: false, comment: 'seen' },
      actor: { username: 'ann@exor' },
    },
  ])
  expect(
    told.filter(({ topic }) => topic === timelineRecorded.topic).map(({ value }) => value),
  ).toMatchObject([
    { deviceId, kind: 'alarm', data: { change: 'raised' } },
    {
      deviceId,
      kind: 'alarmAction',
      by: 'ann@exor',
      data: { change: 'acknowledged', name: 'Overheat' },
    },
  ])
})
