import { bitOf } from '@longreach/authorization/capability'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditRecorded } from '@longreach/kit/audit-trail'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
const now = new Date('2026-01-05T12:00:00Z')
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

test('all: those that ask for it; only what is visible, if so asked [C-19 in part]', async () => {
  const ann = server.member('ann', org)
  const deviceId = server.addDevice(org)
  const certificate = ''
  await server.report(
    ...['a', 'b', 'c'].map((name) => reportOf(deviceId, { name, certificate })),
    reportOf(deviceId, { name: 'd', state: 3, certificate }),
  )
  const some = await ann.acknowledgeAll({
    query,
    body: { comment: 'x', applyOnlyToVisibleValue: true, data: 'name == "a"' },
  })
  expect(some).toMatchObject({ done: [expect.any(String)], skipped: [], jobId: null, total: 1 })
  await expect(
    ann.acknowledgeAll({ query, body: { applyOnlyToVisibleValue: true } }),
  ).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'ids' }] },
  })
  expect(
    (
      await ann.acknowledgeAll({
        query,
        body: { comment: 'shift', applyOnlyToVisibleValue: false },
      })
    ).done,
  ).toHaveLength(2)
  expect(await ann.resetAll({ query, body: {} })).toMatchObject({ done: [], total: 0 })
  expect((await ann.clearAll({ query, body: {} })).done).toHaveLength(4)
  expect(await ann.severityCount({ query })).toEqual([])
})

/** Alarms of several devices, more than one call does at once. */
async function flood(count: number) {
  const devices = Array.from({ length: 4 }, (_, at) => server.addDevice(org, { groups: [at] }))
  await server.report(
    ...Array.from({ length: count }, (_, at) =>
      reportOf(devices[at % 4]!, {
        name: `alarm ${at}`,
        severity: at % 2 === 0 ? 5 : 3,
        certificate: '',
      }),
    ),
  )
  return devices
}

test('over 1,000 alarms are acknowledged by a job [C-19 in part]', async () => {
  const ann = server.member('ann', org)
  await flood(1_200)
  const started = await ann.acknowledgeAll({ query, body: { comment: 'flood' } })
  expect(started).toMatchObject({ done: [], skipped: [], jobId: expect.any(String), total: 1_200 })
  await server.settle()
  const job = await ann.job({ params: { jobId: started.jobId ?? '' }, query })
  expect(job).toMatchObject({ state: 'DONE', total: 1_200, done: 1_200, failed: 0 })
  const { counts } = await ann.listAlarms({ query, body: {} })
  expect(counts).toMatchObject({ total: 1_200, isExact: true, unacknowledged: 0 })
})

test('two jobs at once, of which a part is done before they begin, act on each alarm once', async () => {
  const ann = server.member('ann', org)
  await flood(1_200)
  const start = () => ann.acknowledgeAll({ query, body: { comment: 'flood' } })
  const [one, two] = await Promise.all([start(), start()])
  // As after a kill between a step and the note that it is done.
  const { data } = await ann.listAlarms({ query, body: { pageSize: 700 } })
  await ann.acknowledge({ query, body: { ids: data.map(({ id }) => id), comment: 'flood' } })
  await server.settle()
  for (const { jobId } of [one, two])
    expect(await ann.job({ params: { jobId: jobId ?? '' }, query })).toMatchObject({
      state: 'DONE',
      failed: 0,
    })
  const { rows } = await server.database.pool.query<{ kinds: string }>(
    `select string_agg(c.kind, ' ' order by c.n) as kinds from alarms.change c
     join alarms.occurrence o on o.id = c.occurrence where o.org = $1 group by o.id`,
    [org],
  )
  expect(rows).toHaveLength(1_200)
  expect(new Set(rows.map(({ kinds }) => kinds))).toEqual(new Set(['raised acknowledged']))
  const audited = await server.database.pool.query(
    `select from bus.event where topic = '${auditRecorded.topic}' and payload ->> 'organization' = $1
       and payload ->> 'action' = 'ack'`,
    [org],
  )
  expect(audited.rowCount).toBe(1_200)
})

test('a filter reaches all that the list finds with it, not what is shelved or came later [R-22 in part]', async () => {
  const ann = server.member('ann', org)
  const devices = await flood(2_400)
  const { at, data } = await ann.listAlarms({ query, body: { severities: [5] } })
  const until = now.getTime() + 3_600_000
  await ann.shelveAlarms({
    query,
    body: { ids: data.slice(0, 10).map(({ id }) => id), reason: 'test', until },
  })
  const heardAt = at + 1
  const later = { name: 'later', severity: 5, certificate: '', changedAt: heardAt, startedAt: at }
  await server.report(reportOf(devices[0]!, { ...later, heardAt }))
  const body = { comment: 'x', filter: { severities: [5], search: 'alarm', heardUntil: at } }
  const { jobId, total } = await ann.clearAll({
    query,
    body: { ...body, applyOnlyToVisibleValue: true },
  })
  expect(total).toBe(1_190)
  await server.settle()
  expect(await ann.job({ params: { jobId: jobId ?? '' }, query })).toMatchObject({ done: 1_190 })
  const { counts } = await ann.listAlarms({ query, body: {} })
  expect(counts).toMatchObject({ total: 1_201, shelved: 10, bySeverity: [0, 0, 0, 1_200, 0, 1, 0] })
  const ofDevice = { deviceId: devices[1]!, heardUntil: at }
  expect(await ann.acknowledgeAll({ query, body: { filter: ofDevice } })).toMatchObject({
    total: 600,
    jobId: null,
  })
  const foreign = server.member('eve', `${org}-other`)
  expect(await foreign.acknowledgeAll({ query, body: { filter: ofDevice } })).toMatchObject({
    total: 0,
    done: [],
  })
})

test('all are those of the device groups of the person', async () => {
  await flood(1_200)
  const mask = bitOf('read')
  const grouped = server.member('gus', org, {
    capability: {
      grants: { alarms: bitOf('read') | bitOf('ack') },
      deviceGroups: [{ mask, groups: [1, 2] }],
    },
  })
  const answer = await grouped.acknowledgeAll({ query, body: {} })
  expect(answer).toMatchObject({ total: 600, skipped: [] })
  const ann = server.member('ann', org)
  expect((await ann.listAlarms({ query, body: {} })).counts.unacknowledged).toBe(600)
})

test('a job whose person lost the right acknowledges nothing', async () => {
  const ann = server.member('ann', org)
  const deviceId = server.addDevice(org)
  await server.report(
    ...Array.from({ length: 1_001 }, (_, at) =>
      reportOf(deviceId, { name: `alarm ${at}`, certificate: '' }),
    ),
  )
  const { jobId } = await ann.acknowledgeAll({ query, body: {} })
  server.member('ann', org, {
    capability: { grants: { alarms: bitOf('read'), devices: bitOf('read') }, deviceGroups: [] },
  })
  await server.settle()
  const job = await ann.job({ params: { jobId: jobId ?? '' }, query })
  expect(job).toMatchObject({ failed: 1_001 })
  expect((await ann.listAlarms({ query, body: {} })).counts.unacknowledged).toBe(1_001)
})
