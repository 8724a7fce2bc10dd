import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GateName, decisionGates, deliveryGates, ruleGates } from '../gate-names.ts'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  const { operator, viewer } = server.people
  await server.address(operator, 'oskar@plant.example')
  await server.address(viewer, 'vera@plant.example')
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.clear()
  await server.db.deleteFrom('push_subscription').execute()
  server.server.site.mail = server.post.settings
})

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
/** Last step of the newest change of an alarm, by the only rule for a person. */
async function lastStep(id: string, user = 'oskar') {
  const { rules } = await admin().why({ query: { ...query, alarm: id, user } })
  return rules.at(-1)?.steps.at(-1)
}
/** Step at which a delivery was dropped, as the delivery explains itself. */
async function dropStep(gate: GateName) {
  const dropped = await server.db
    .selectFrom('delivery')
    .select('id')
    .where('gate', '=', gate)
    .executeTakeFirst()
  if (!dropped) return undefined
  const { rules } = await admin().whyDelivery({ params: { id: dropped.id }, query })
  return rules.flatMap(({ steps }) => steps).findLast((step) => step.gate === gate)
}
/** Channel to a server that is not there. */
const hook = (name = 'Hook', enabled = true) =>
  admin().createChannel({
    query,
    body: { name, type: 'webhook', enabled, config: { url: 'http://127.0.0.1:9/' } },
  })
const tried = () =>
  server.deliveries((rows) => rows.some((row) => row.state === 'WAITING' && row.attempt === 1))
/** The next attempt is due. */
async function tryAgain() {
  await tried()
  server.pass(minute)
}
type Step = NonNullable<Awaited<ReturnType<typeof lastStep>>>

/** Each gate with what makes it the reason, and what the answer says of it. */
const gates: [gate: GateName, make: () => Promise<string>, said: Partial<Step>][] = [
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
      const raiseOn = async (pump: number) =>
        server.raise({ ...(await alarm()), device_id: await server.device(org, `Pump ${pump}`) })
      for (let n = 0; n < 20; n += 1) await raiseOn(n)
      await server.deliveries((rows) => rows.length === 20)
      return raiseOn(20)
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
  [
    'device',
    async () => {
      await rule()
      const device_id = await server.device(org, 'Oven in the trash', { deleted: true })
      return raise({ device_id })
    },
    { state: 'stopped', saw: 'deleted' },
  ],
  ['withdrawn', async () => (await rule(), raise({ withdrawn: true })), { state: 'stopped' }],
  [
    'late',
    async () => {
      await rule()
      const before = (hours: number) => new Date(server.clock.now.getTime() - hours * 60 * minute)
      const times = { start: before(3), returned_t: before(2), heard_t: server.clock.now }
      return raise({ ...times, late: true, active: false })
    },
    { state: 'stopped' },
  ],
  [
    'over',
    async () => {
      await rule()
      const one = await alarm({ shelf_id: crypto.randomUUID() })
      const id = await server.raise(one)
      await server.decisions((rows) => rows[0]?.gate === 'shelf')
      server.pass(minute)
      await server.change({ ...one, shelf_id: null, active: false }, 'unshelved')
      return id
    },
    { state: 'stopped' },
  ],
  [
    'told',
    async () => {
      await rule()
      const one = await alarm()
      const id = await server.raise(one)
      await server.deliveries((rows) => rows[0]?.state === 'SENT')
      server.pass(minute)
      await server.change({ ...one, severity: 5 }, 'severity')
      return id
    },
    { state: 'stopped' },
  ],
  [
    'not_told',
    async () => {
      await rule({ longreach: { channels: ['mail'], onReturn: true } })
      const one = await alarm({ severity: 4 })
      const id = await server.raise(one)
      await server.decisions((rows) => rows[0]?.state === 'GROUPED')
      server.pass(1_000)
      await server.change({ ...one, active: false, returned_t: server.clock.now }, 'returned')
      return id
    },
    { state: 'waits' },
  ],
  [
    'decision',
    async () => {
      await rule()
      const id = await raise()
      await server.deliveries((rows) => rows[0]?.state === 'SENT')
      // As the clean-up does it after 90 days.
      await server.db.deleteFrom('decision').execute()
      return id
    },
    { state: 'stopped' },
  ],
]

/** Gates of a recipient, of which the delivery says why it was dropped. */
const drops: [gate: GateName, make: () => Promise<unknown>][] = [
  [
    // A step of an escalation waits for its next attempt while somebody acknowledges.
    'ack',
    async () => {
      const steps = [{ afterMin: 0, to: [{ type: 'user' as const, id: 'vera' }] }]
      const { id } = await admin().createEscalation({ query, body: { name: 'Night', steps } })
      server.post.refuse(451, 'vera@plant.example')
      await rule({ longreach: { channels: ['mail'], escalation: id } })
      const one = await alarm()
      await server.raise(one)
      await tried()
      await server.change({ ...one, ack_required: false }, 'acknowledged')
      await tryAgain()
    },
  ],
  [
    'channel_off',
    async () => {
      const { id } = await hook('Off', false)
      await rule({ recipientFilters: [{ type: 'channel', id }] })
      return raise()
    },
  ],
  [
    'channel_gone',
    async () => {
      const { id } = await hook()
      await rule({ recipientFilters: [{ type: 'channel', id }] })
      await raise()
      await tried()
      await server.db.deleteFrom('channel').where('id', '=', id).execute()
      await tryAgain()
    },
  ],
  [
    'no_address',
    async () => {
      await rule({ recipientFilters: ['vera'] })
      await server.address(server.people.viewer, '')
      await raise()
      await server.deliveries((rows) => rows[0]?.state === 'DROPPED')
      await server.address(server.people.viewer, 'vera@plant.example')
    },
  ],
  [
    'no_mail_server',
    async () => {
      delete server.server.site.mail
      await rule()
      return raise()
    },
  ],
  [
    'no_browser',
    async () => {
      const curve = createECDH('prime256v1')
      const keys = { p256dh: curve.generateKeys('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' }
      const oskar = server.as(server.people.operator)
      const body = { endpoint: 'http://127.0.0.1:9/push', keys, label: 'Phone' }
      const { id } = await oskar.addPush({ query, body })
      await rule()
      await raise()
      await tried()
      await oskar.removePush({ params: { id }, query })
      await tryAgain()
    },
  ],
  [
    'removed',
    async () => {
      await rule({ recipientFilters: ['oskar', 'vera'] })
      await server.database.pool.query(
        `delete from core.membership where user_id = (select id from core.app_user where username = 'vera' and realm = 'nordwerk')`,
      )
      await raise()
      await server.deliveries((rows) => rows.some(({ gate }) => gate === 'removed'))
      await server.database.pool.query(
        `insert into core.membership (user_id, organization_id)
        select u.id, o.id from core.app_user u, core.organization o
        where u.username = 'vera' and u.realm = 'nordwerk' and o.resource_id = $1`,
        [org],
      )
    },
  ],
  [
    'nobody_on_call',
    async () => {
      const body = { name: 'Night', zone: 'UTC', layers: [] }
      const { id } = await admin().createSchedule({ query, body })
      await rule({ recipientFilters: [{ type: 'schedule', id }] })
      return raise()
    },
  ],
]

test.each(gates)('the gate %s is the reason, and says what it saw', async (gate, make, said) => {
  const id = await make()
  const user = gate === 'no_right' ? 'mia' : 'oskar'
  await expect.poll(() => lastStep(id, user), patience).toMatchObject({ gate, ...said })
})

test.each(drops)('the gate %s is the reason of a delivery that was dropped', async (gate, make) => {
  await make()
  await expect.poll(() => dropStep(gate), patience).toMatchObject({ gate, state: 'stopped' })
})

test('each gate of the code has a test that makes it the reason', () => {
  const tested = [...gates, ...drops].map(([gate]) => gate)
  const all = new Set<GateName>([...ruleGates, ...decisionGates, ...deliveryGates])
  // That of an alarm that is gone is asked of nobody: the next test.
  all.delete('gone')
  expect(new Set(tested)).toEqual(all)
  // One that rules and deliveries have is made the reason of both.
  const ofBoth = deliveryGates.filter((gate) => ruleGates.some((one) => one === gate))
  expect(drops.map(([gate]) => gate)).toEqual(expect.arrayContaining(ofBoth))
})

test('of an alarm that was deleted nobody asks why', async () => {
  await rule({ ackTime: 5 })
  const id = await raise()
  await server.decisions((rows) => rows[0]?.gate === 'ack')
  await server.database.pool.query('delete from alarms.occurrence where id = $1', [id])
  server.pass(5 * minute)
  await server.decisions((rows) => rows[0]?.gate === 'gone')
  await expect(lastStep(id)).rejects.toMatchObject({ status: 404 })
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
