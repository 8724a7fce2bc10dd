import { deviceStateEvents } from '@longreach/mappings/device-state-contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'
import { alarmsContract } from '../contract.ts'

let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
beforeAll(async () => {
  server = await testAlarms()
  ann = server.member('ann', 'exor')
})
afterAll(() => server.close())

const start = Date.UTC(2026, 0, 5)
const query = {}

/** Device whose alarm `Overheat` reports states; times are seconds after the start. */
function reporting(more: { org?: string } = {}) {
  const deviceId = server.addDevice(more.org ?? 'exor')
  const base = {
    deviceId,
    name: 'Overheat',
    description: 'Too hot: 231',
    tag: 'Tag1',
    severity: 4,
    certificate: '',
    value: { type: 'double', value: 231 } as const,
  }
  type More = { at: number; since?: number; severity?: number; name?: string }
  const message = (state: number, { at, since = 0, ...rest }: More) => {
    const changedAt = start + at * 1_000
    return {
      ...base,
      ...rest,
      state,
      startedAt: start + since * 1_000,
      changedAt,
      heardAt: changedAt + 200,
    }
  }
  const found = async () =>
    (
      await ann.searchAlarms({
        query,
        body: { data: `deviceId == "${deviceId}"`, orderBy: 'eventTimestamp' },
      })
    ).data
  const only = async () => {
    const [alarm, ...others] = await found()
    if (!alarm || others.length > 0) throw new Error(`${others.length + 1} alarms`)
    return alarm
  }
  const kinds = async (id: string) =>
    (await ann.alarmHistory({ params: { id }, query })).data.map(({ longreach }) => longreach.kind)
  return {
    deviceId,
    message,
    found,
    only,
    kinds,
    send: (state: number, more: More) => server.report(message(state, more)),
  }
}

const shown = ({
  status,
  ack,
  reset,
  action,
}: Record<'status' | 'ack' | 'reset' | 'action', string>) =>
  [status, ack === 'REQUIRED' ? 'ack' : '-', reset === 'REQUIRED' ? 'reset' : '-', action].join(' ')

test('with ack and reset: 11, 23, 21, 1 [E-15] [C-19 in part]', async () => {
  const { send, only, kinds } = reporting()
  await send(11, { at: 1 })
  const first = await only()
  expect(shown(first)).toBe('ACTIVE ack - NO_ACK')
  expect(first).toMatchObject({
    severity: 4,
    enabled: 'ENABLED',
    alarmEnabled: 'ENABLED',
    eventTimestamp: start,
    updatedAt: start + 1_200,
    value_double: 231,
    description: 'Too hot: 231',
    tag: 'Tag1',
    realmId: 'exor',
  })
  await send(23, { at: 2 })
  expect(shown(await only())).toBe('ACTIVE - reset ACK')
  await send(21, { at: 3 })
  expect(shown(await only())).toBe('NOT_ACTIVE - reset ACK')
  expect((await only()).acknowledgedDate).toBe(start + 2_000)
  await send(1, { at: 4 })
  const last = await only()
  expect(shown(last)).toBe('NOT_ACTIVE - - ACK')
  expect(last.longreach.closedAt).toBe(start + 4_000)
  expect(await kinds(last.id)).toEqual(['raised', 'acknowledged', 'returned', 'reset'])
})

test('with ack only: 11, 7, 5, and 7 at once with a new start', async () => {
  const { send, found, only } = reporting()
  await send(11, { at: 1 })
  await send(7, { at: 2 })
  expect(shown(await only())).toBe('ACTIVE - - ACK')
  await send(5, { at: 3 })
  expect((await only()).longreach.closedAt).toBe(start + 3_000)
  await send(7, { at: 10, since: 10 })
  expect((await found()).map(shown)).toEqual(['ACTIVE - - ACK', 'NOT_ACTIVE - - ACK'])
})

test('with neither: 3, 1', async () => {
  const { send, only, kinds } = reporting()
  await send(3, { at: 1 })
  expect(shown(await only())).toBe('ACTIVE - - NO_ACK')
  await send(1, { at: 2 })
  const { id, longreach } = await only()
  expect(longreach).toMatchObject({ returnedAt: start + 2_000, closedAt: start + 2_000 })
  expect(await kinds(id)).toEqual(['raised', 'closed'])
})

test('an alarm that comes again before it was acknowledged is the same one', async () => {
  const { send, only, kinds } = reporting()
  for (const [at, state] of [11, 9, 11, 9].entries()) await send(state, { at: at + 1 })
  const { id, longreach } = await only()
  expect(longreach.raises).toBe(2)
  expect(await kinds(id)).toEqual(['raised', 'returned', 'again', 'returned'])
})

test('a new start ends the one before as superseded', async () => {
  const { send, found, kinds } = reporting()
  await send(11, { at: 1 })
  await send(11, { at: 20, since: 20 })
  const [newer, older] = await found()
  expect(shown(newer!)).toBe('ACTIVE ack - NO_ACK')
  expect(shown(older!)).toBe('NOT_ACTIVE - - NO_ACK')
  expect(await kinds(older!.id)).toEqual(['raised', 'closed'])
  await send(9, { at: 30 })
  expect(await kinds(older!.id)).toEqual(['raised', 'closed', 'late'])
  expect((await found()).map(shown)).toEqual(['ACTIVE ack - NO_ACK', 'NOT_ACTIVE - - NO_ACK'])
})

test('an older report is history alone, and a repeated one nothing', async () => {
  const { message, only, kinds } = reporting()
  await server.report(message(11, { at: 1 }), message(9, { at: 5 }))
  await server.report(message(7, { at: 3 }))
  await server.report(message(11, { at: 1 }), message(9, { at: 5 }), message(7, { at: 3 }))
  const alarm = await only()
  expect(shown(alarm)).toBe('NOT_ACTIVE ack - NO_ACK')
  expect(await kinds(alarm.id)).toEqual(['raised', 'late', 'returned'])
})

test('a cleared one stays cleared, whatever the device repeats [T-07 in part]', async () => {
  const { send, only } = reporting()
  await send(11, { at: 1 })
  const { id } = await only()
  expect(await ann.clear({ query, body: { id } })).toEqual({ done: [id], skipped: [] })
  await send(9, { at: 2 })
  await send(11, { at: 3 })
  expect((await only()).status).toBe('CLEARED')
  await send(1, { at: 4 })
  expect((await only()).status).toBe('CLEARED')
  await expect(ann.clear({ query, body: { id } })).rejects.toMatchObject({
    status: 409,
    code: 'alarms.closed',
  })
})

test('one that is not enabled is over', async () => {
  const { send, only } = reporting()
  await send(11, { at: 1 })
  await send(10, { at: 2 })
  expect(await only()).toMatchObject({
    enabled: 'NOT_ENABLED',
    status: 'NOT_ACTIVE',
    ack: 'NOT_REQUIRED',
  })
})

test('what the platform did alone holds until the alarm comes anew', async () => {
  const { send, only } = reporting()
  await send(11, { at: 1 })
  const { id } = await only()
  await ann.acknowledge({ query, body: { id, comment: 'seen' } })
  expect(await only()).toMatchObject({ ack: 'NOT_REQUIRED', platformAction: true, comment: 'seen' })
  await send(9, { at: 2 })
  const over = await only()
  expect(over).toMatchObject({ ack: 'NOT_REQUIRED', platformAction: true, status: 'NOT_ACTIVE' })
  expect(over.longreach.closedAt).toBe(start + 2_000)
  await send(11, { at: 3 })
  expect(await only()).toMatchObject({ ack: 'REQUIRED', platformAction: false, status: 'ACTIVE' })
})

test('times with fractions of a millisecond are those of one start', async () => {
  const { message, only } = reporting()
  await server.report({ ...message(11, { at: 1 }), startedAt: start + 0.25 })
  await server.report({
    ...message(7, { at: 2 }),
    startedAt: start + 0.75,
    changedAt: start + 2_000.5,
  })
  expect(await only()).toMatchObject({ eventTimestamp: start, ack: 'NOT_REQUIRED' })
})

test('severities are counted as 0 to 6, and shown as they were sent', async () => {
  const other = server.member('sev', 'severe')
  const { message } = reporting({ org: 'severe' })
  const severities = [-5, 0, 6, 7, 2 ** 31]
  await server.report(
    ...severities.map((severity, at) => message(3, { at: 1, severity, name: `alarm ${at}` })),
  )
  const body = { orderBy: 'name', orderDir: 'ASC' }
  const { data } = await other.searchAlarms({ query, body })
  expect(data.map(({ severity }) => severity)).toEqual([-5, 0, 6, 7, 2 ** 31 - 1])
  expect(await other.severityCount({ query })).toEqual([
    { severity: 0, count: 2 },
    { severity: 6, count: 3 },
  ])
})

test('starts in 1970 and 2100, unknown bits, long and strange names', async () => {
  const { message, found } = reporting()
  const names = ['<b>&"\' \u202e\n', 'x'.repeat(5_000), '日本語', '']
  const far = Date.UTC(2100, 0, 1)
  for (const name of names)
    await server.report({
      ...message(11 + 32 + 2 ** 20, { at: 1, name }),
      startedAt: 0,
      description: 'd'.repeat(1_000_000),
    })
  await server.report({ ...message(11, { at: 2, name: 'ahead' }), startedAt: far, changedAt: far })
  await server.report(message(11, { at: 5, since: 5, name: 'ahead' }))
  const alarms = await found()
  expect(alarms.map(({ name }) => name).toSorted()).toEqual([...names, 'ahead', 'ahead'].toSorted())
  const ahead = alarms.filter(({ name }) => name === 'ahead')
  expect(ahead.map(({ eventTimestamp, status }) => [eventTimestamp, status])).toEqual([
    [far, 'NOT_ACTIVE'],
    [start + 5_000, 'ACTIVE'],
  ])
})

test('an event that cannot be taken is set aside, and those behind it are taken', async () => {
  const { message, only } = reporting()
  const unknown = { ...message(11, { at: 1 }), deviceId: 'A'.repeat(22) }
  await server.report(
    unknown,
    { ...message(11, { at: 1, name: 'no time' }), changedAt: 9e15 },
    message(3, { at: 1 }),
  )
  expect(await only()).toMatchObject({ status: 'ACTIVE' })
  const aside = await server.tables.selectFrom('set_aside').selectAll().execute()
  expect(aside.map(({ error }) => error)).toEqual([
    `there is no device ${'A'.repeat(22)}`,
    expect.stringContaining('null value in column'),
  ])
})

test('a report of a device that mappings does not tell of now is taken later, and not set aside', async () => {
  const { message, only } = reporting()
  server.register.state.isBroken = true
  await expect(server.report(message(11, { at: 1 }))).rejects.toMatchObject({
    name: 'DevicesUnavailable',
  })
  server.register.state.isBroken = false
  await server.settle()
  expect(await only()).toMatchObject({ status: 'ACTIVE' })
})

test('after a device came back its open alarms are not confirmed until it repeats them', async () => {
  const { deviceId, message, send, only, kinds } = reporting()
  const isUnconfirmed = async () => (await only()).longreach.unconfirmed
  const connects = () =>
    server.tell(deviceStateEvents.deviceConnection, [{ deviceId, connected: true, at: start }])
  await send(11, { at: 1 })
  await connects()
  expect(await isUnconfirmed()).toBe(true)
  await send(9, { at: 2 })
  expect(await isUnconfirmed()).toBe(false)
  // The state before its newest one says nothing of now; the newest does, and is told under the new certificate.
  await connects()
  await send(11, { at: 1 })
  expect(await isUnconfirmed()).toBe(true)
  await server.report({ ...message(9, { at: 2 }), certificate: 'AB' })
  expect(await isUnconfirmed()).toBe(false)
  const { id } = await only()
  expect(await kinds(id)).toEqual(['raised', 'returned'])
  await ann.acknowledge({ query, body: { id } })
  const taking = { params: { deviceId }, body: { certificate: 'AB' } }
  const { commands } = await server.asService(alarmsContract).takeCommands(taking)
  expect(commands).toMatchObject([{ command: 'ack', certificate: 'AB', startedAt: start }])
})
