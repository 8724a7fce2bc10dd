import { bitOf } from '@longreach/authorization/capability'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
const start = Date.UTC(2026, 0, 5)
let clock = start

beforeAll(async () => {
  server = await testAlarms(() => new Date(clock))
  ann = server.member('ann', 'exor')
  const ben = server.member('ben', 'exor')
  const devices = ['Oven', 'Press'].map((label, at) =>
    server.addDevice('exor', { label, groups: [at + 1] }),
  )
  await server.report(
    ...devices.map((deviceId) => ({
      deviceId,
      name: 'Too hot',
      description: '',
      tag: '',
      severity: 5,
      state: 11,
      startedAt: start,
      changedAt: start,
      heardAt: start,
      certificate: '',
      value: null,
    })),
  )
  const { data } = await ann.listAlarms({ query: {}, body: {} })
  for (const { id, deviceLabel } of data) {
    clock += 60_000
    const who = deviceLabel === 'Oven' ? ann : ben
    await who.comment({ params: { id }, query: {}, body: { comment: `looked at ${deviceLabel}` } })
    clock += 60_000
    await who.acknowledge({ query: {}, body: { id } })
  }
})
afterAll(() => server.close())

test('what people did on alarms is listed by time, newest first, page by page [R-20 in part]', async () => {
  const seen: { at: number; kind: string; by: string; device: string }[] = []
  let next: string | null = null
  do {
    const page: Awaited<ReturnType<typeof ann.actionLog>> = await ann.actionLog({
      query: { limit: 3, ...(next !== null && { next }) },
    })
    seen.push(...page.data)
    next = page.next
  } while (next !== null)
  expect(seen).toHaveLength(4)
  expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at).toSorted((a, b) => b - a))
  expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(['commented', 'acknowledged']))
})

test('it is found by person, device, text and time', async () => {
  const devicesOf = async (query: object) =>
    (await ann.actionLog({ query })).data.map(({ device }) => device)
  expect(await devicesOf({ person: 'BEN' })).toEqual(['Press', 'Press'])
  expect(await devicesOf({ device: 'ove' })).toEqual(['Oven', 'Oven'])
  expect(await devicesOf({ text: 'looked at press' })).toEqual(['Press'])
  expect(await devicesOf({ from: clock })).toHaveLength(1)
  expect(await devicesOf({ to: start })).toEqual([])
})

test('another organization and device group see nothing, and a wrong place is refused', async () => {
  const eve = server.member('eve', 'acme')
  expect((await eve.actionLog({ query: {} })).data).toEqual([])
  await expect(eve.actionLog({ query: { organization: 'exor' } })).rejects.toMatchObject({
    status: 404,
  })
  const mask = bitOf('read')
  const capability = { grants: { alarms: mask }, deviceGroups: [{ groups: [2], mask }] }
  const gus = server.member('gus', 'exor', { capability })
  const seen = (await gus.actionLog({ query: {} })).data
  expect(new Set(seen.map(({ device }) => device))).toEqual(new Set(['Press']))
  const poor = server.member('poor', 'exor', {
    capability: { grants: { devices: mask }, deviceGroups: [] },
  })
  await expect(poor.actionLog({ query: {} })).rejects.toMatchObject({ status: 403 })
  await expect(ann.actionLog({ query: { next: 'x' } })).rejects.toMatchObject({
    status: 400,
    details: { field: 'next' },
  })
})
