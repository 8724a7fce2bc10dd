import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  const { operator, viewer } = server.people
  await server.address(operator, 'oskar@plant.example')
  await server.address(viewer, 'vera@plant.example')
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const org = 'nordwerk.service'
const query = { organization: org }
const minute = 60_000
const admin = () => server.as(server.people.administrator)
const rule = (more = {}) =>
  admin().createNotification({
    query,
    body: {
      name: 'Ovens',
      minimumSeverity: 3,
      recipientFilters: ['oskar'],
      longreach: { channels: ['mail'] },
      ...more,
    },
  })
const alarm = async (more: object = {}, name = 'Too hot') => ({
  org,
  device_id: await server.device(org, 'Oven 7', { groups: [5] }),
  name,
  severity: 6,
  start: server.clock.now,
  ...more,
})
const raise = async (more: object = {}, name?: string) => server.raise(await alarm(more, name))
const own = (settings: object) =>
  server.as(server.people.operator).setPreferences({ query, body: settings })
/** Last step of the only rule for a person. */
async function lastStep(id: string, user = 'oskar') {
  const { rules } = await admin().why({ query: { ...query, alarm: id, user } })
  return rules[0]?.steps.at(-1)
}
type Step = NonNullable<Awaited<ReturnType<typeof lastStep>>>

/** Each gate with what makes it the reason, and what the answer says of it. */
const gates: [gate: string, make: () => Promise<string>, said: Partial<Step>][] = [
  [
    'created',
    async () => {
      const id = await raise()
      await server.server.settle()
      server.pass(minute)
      await rule()
      return id
    },
    { state: 'stopped', values: { at: Date.UTC(2026, 0, 5, 12, 1) } },
  ],
  ['rule', async () => (await rule({ enabled: false }), raise()), { state: 'stopped' }],
  [
    'severity',
    async () => (await rule({ minimumSeverity: 5 }), raise({ severity: 4 })),
    { state: 'stopped', values: { severity: 4, minimum: 5 } },
  ],
  [
    'name',
    async () => (await rule({ nameFilters: ['cold*'] }), raise()),
    { state: 'stopped', values: { name: 'Too hot', wanted: 'cold*' } },
  ],
  [
    'group',
    async () => (await rule({ deviceGroupFilters: [7] }), raise()),
    { state: 'stopped', values: { wanted: 1 } },
  ],
  [
    'expression',
    async () => (await rule({ extraFilters: ['tag == "T9"'] }), raise()),
    { state: 'stopped', values: { wanted: 'tag == "T9"' } },
  ],
  [
    'shelf',
    async () => (await rule(), raise({ shelf_id: crypto.randomUUID() })),
    { state: 'stopped' },
  ],
  ['suppressed', async () => (await rule(), raise({ suppressed: true })), { state: 'stopped' }],
  [
    'ack',
    async () => (await rule({ ackTime: 5 }), raise()),
    { state: 'waits', values: { minutes: 5, at: Date.UTC(2026, 0, 5, 12, 5) } },
  ],
  [
    'day',
    async () => (await rule({ days: ['SUNDAY'] }), raise()),
    { state: 'stopped', values: { at: Date.UTC(2026, 0, 5, 12), zone: 'UTC' } },
  ],
  [
    'quiet',
    async () => {
      await own({ quiet: { from: '12:00', to: '13:00', zone: 'UTC', through: 7 } })
      await rule()
      return raise()
    },
    { state: 'stopped', values: { channel: 'mail' } },
  ],
  [
    'paused',
    async () => {
      await own({ pausedUntil: server.clock.now.getTime() + minute })
      await rule()
      return raise()
    },
    { state: 'stopped', values: { channel: 'mail' } },
  ],
  [
    'preference',
    async () => (await own({ bySeverity: { '6': [] } }), await rule(), raise()),
    { state: 'stopped', values: { channel: 'mail' } },
  ],
  [
    'burst',
    async () => {
      await rule()
      await raise()
      await server.deliveries((rows) => rows[0]?.state === 'SENT')
      return raise({}, 'Also hot')
    },
    { state: 'waits', values: { at: Date.UTC(2026, 0, 5, 12, 5) } },
  ],
  [
    'digest',
    async () => {
      await rule({ longreach: { channels: ['mail'], digest: { everyH: 6 } } })
      return raise({ severity: 5 })
    },
    { state: 'waits', values: { at: Date.UTC(2026, 0, 5, 18) } },
  ],
  [
    'rate',
    async () => {
      await rule({ longreach: { channels: ['mail'], group: 'device' } })
      let last = ''
      for (let n = 0; n < 21; n += 1) {
        const device_id = await server.device(org, `Pump ${n}`)
        last = await server.raise({ ...(await alarm()), device_id })
        await server.deliveries((rows) => rows.length === n + 1)
      }
      return last
    },
    { state: 'stopped', values: { channel: 'mail' } },
  ],
  [
    'recipient',
    async () => (await rule({ recipientFilters: ['vera'] }), raise()),
    { state: 'stopped' },
  ],
  [
    'no_right',
    async () => (await rule({ recipientFilters: ['mia'] }), raise()),
    { state: 'stopped', values: { channel: 'mail' } },
  ],
  [
    'delivery',
    async () => (await rule(), raise()),
    { state: 'passed', values: expect.objectContaining({ channel: 'mail', state: 'SENT' }) },
  ],
]

test.each(gates)('the gate %s is the reason, and says what it saw', async (gate, make, said) => {
  const id = await make()
  const user = gate === 'no_right' ? 'mia' : 'oskar'
  await expect.poll(() => lastStep(id, user), patience).toMatchObject({ gate, ...said })
})

test('an acknowledgement in time is a reason too', async () => {
  await rule({ ackTime: 5 })
  const one = await alarm()
  const id = await server.raise(one)
  const ends = async (state: string) => {
    await expect.poll(() => lastStep(id), patience).toMatchObject({ gate: 'ack', state })
  }
  await ends('waits')
  await server.change({ ...one, ack_required: false }, 'acknowledged')
  server.pass(5 * minute)
  await ends('stopped')
})

test('a delivery explains itself, and an alarm says who was told [C-29 in part]', async () => {
  await rule({ recipientFilters: ['oskar', 'mia'] })
  const id = await raise()
  await server.deliveries(
    (rows) =>
      rows.length === 2 && rows.every(({ state }) => state !== 'WAITING' && state !== 'SENDING'),
  )
  const { data } = await admin().told({ query: { ...query, alarm: id } })
  const said = data.map(({ recipient, channel, state, gate }) =>
    [recipient, channel, state, gate].join(' '),
  )
  expect(said.toSorted()).toEqual(['mia mail DROPPED no_right', 'oskar mail SENT '])
  const of = (name: string) => data.find(({ recipient }) => recipient === name)!.deliveryId
  const why = await admin().whyDelivery({ params: { id: of('mia') }, query })
  expect(why).toMatchObject({ user: 'mia', alarm: { id, device: 'Oven 7', severity: 6 } })
  expect(why.rules.map(({ name, steps }) => `${name} ${steps.at(-1)?.gate}`)).toEqual([
    'Ovens no_right',
  ])
  const beside = server.as(server.people.neighbour)
  const elsewhere = { organization: 'nordwerk.press' }
  for (const call of [
    () => beside.told({ query: { ...elsewhere, alarm: id } }),
    () => beside.whyDelivery({ params: { id: of('mia') }, query: elsewhere }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
  const member = server.as(server.people.member)
  await expect(member.told({ query: { ...query, alarm: id } })).rejects.toMatchObject({
    status: 403,
  })
  await expect(admin().told({ query: { ...query, alarm: 'x' } })).rejects.toMatchObject({
    status: 400,
  })
})
