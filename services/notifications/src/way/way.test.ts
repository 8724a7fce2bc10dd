import { coreContract } from '@longreach/core/contract'
import { addPerson } from '@longreach/core/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest } from '../notifications-testing.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  const { operator, viewer } = server.people
  await server.address(operator, 'oskar@plant.example', 'de')
  await server.address(viewer, 'vera@plant.example')
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const org = 'nordwerk.service'
const rule = (more = {}) =>
  server.as(server.people.administrator).createNotification({
    query: { organization: org },
    body: { name: 'Ovens', minimumSeverity: 3, recipientFilters: ['oskar'], ...more },
  })

test('an open alarm is mailed to a person in their language, with what it is about [C-29 in part]', async () => {
  await rule()
  const device_id = await server.device(org, 'Oven 7')
  const words = { value: 231.456, limit: 230, values: { 'Oven:1/speed': 12 } }
  const rule_id = crypto.randomUUID()
  await server.raise({
    org,
    device_id,
    name: 'Too hot',
    severity: 6,
    source: `r:${rule_id}:`,
    rule_id,
    rule_version: 1,
    words: JSON.stringify(words),
    rule: {
      texts: { en: 'Zone is {value|1}', de: 'Zone hat {value|1} über {limit} bei {Oven:1/speed}' },
      when: { path: 'Oven:1/temperature', op: '>', value: 230 },
      consequence: 'Scrap',
      response: 'Open the door',
      respondWithinMs: 600_000,
    },
  })
  const mail = await server.post.mailTo('oskar@plant.example')
  expect(mail.text).toContain('Kritisch')
  expect(mail.text).toContain('Oven 7: Zone hat 231,5 über 230 bei 12')
  for (const part of ['Grenzwert: 230', 'Folge: Scrap', 'Was zu tun ist: Open the door', '„Ovens“'])
    expect(mail.text).toContain(part)
  expect(mail.text).toContain('http://portal.test/alarms')
  const [inbox, mailed] = (
    await server.deliveries(
      (rows) => rows.every(({ state }) => state === 'SENT') && rows.length === 2,
    )
  ).toSorted((a, b) => a.channel.localeCompare(b.channel))
  expect(inbox).toMatchObject({ channel: 'inbox', attempt: 1 })
  expect(mailed).toMatchObject({ channel: 'mail', attempt: 1, recipient_name: 'oskar' })
  expect(mail.text).toContain(`Message-ID: <${mailed?.id}@longreach.test>`)
})

const alarm = async (name: string, more: object = {}, label = 'Oven 7') => ({
  org,
  device_id: await server.device(org, label),
  name,
  start: server.clock.now,
  ...more,
})
const raise = async (name: string, more: object = {}) => server.raise(await alarm(name, more))
const whyOf = (id: string, user = 'oskar', caller = server.people.administrator) =>
  server.as(caller).why({ query: { organization: org, alarm: id, user } })
/** Last step of the way of an alarm to a person by the only rule. */
const endOf = async (id: string, user = 'oskar') => {
  const { rules: ways } = await whyOf(id, user)
  return ways.at(-1)?.steps.at(-1)
}
const decided = (state: string, gate = '') =>
  server.decisions(
    (rows) => rows.length > 0 && rows.every((one) => one.state === state && one.gate === gate),
  )
const subjects = () => server.post.taken.map(({ text }) => /<title>(.*)<\/title>/.exec(text)?.[1])

test('a severe alarm goes at once, what follows in five minutes is one more message, and a worse one comes before', async () => {
  await rule({ recipientFilters: ['vera'], longreach: { channels: ['mail'] } })
  await raise('First', { severity: 5 })
  await server.deliveries((rows) => rows.length === 1 && rows[0]?.state === 'SENT')
  for (const name of ['Second', 'Third', 'Fourth']) await raise(name, { severity: 5 })
  await server.decisions((rows) => rows.filter(({ state }) => state === 'GROUPED').length === 3)
  expect(subjects()).toEqual(['[High] Oven 7: First'])
  await raise('Worst', { severity: 6 })
  await server.deliveries(
    (rows) => rows.length === 2 && rows.every(({ state }) => state === 'SENT'),
  )
  expect(subjects()[1]).toBe('4 alarms on Oven 7, first: Worst')
  await raise('Later', { severity: 6 })
  await server.decisions((rows) => rows.at(-1)?.state === 'GROUPED')
  server.pass(300_000)
  await server.deliveries(
    (rows) => rows.length === 3 && rows.every(({ state }) => state === 'SENT'),
  )
  expect(subjects()[2]).toBe('[Critical] Oven 7: Later')
  server.pass(300_000)
  await expect.poll(() => server.db.selectFrom('bundle').selectAll().execute()).toEqual([])
})

test('alarms that are not severe are gathered for ten seconds', async () => {
  await rule({ recipientFilters: ['vera'], longreach: { channels: ['mail'] } })
  const id = await raise('One', { severity: 3 })
  await raise('Two', { severity: 3 })
  await server.decisions(
    (rows) => rows.length === 2 && rows.every(({ state }) => state === 'GROUPED'),
  )
  expect(await endOf(id)).toMatchObject({ gate: 'burst', state: 'waits' })
  server.pass(10_000)
  await server.deliveries((rows) => rows.length === 1 && rows[0]?.state === 'SENT')
  expect(subjects()).toEqual(['2 alarms on Oven 7, first: One'])
})

test('a rule about other alarms keeps nothing, and why names the gate', async () => {
  await rule({ nameFilters: ['cold*'] })
  const id = await raise('Too hot', { severity: 6 })
  await server.server.settle()
  await server.decisions((rows) => rows.length === 0)
  expect(await endOf(id)).toMatchObject({ gate: 'name', state: 'stopped', saw: 'Too hot' })
})

test('a shelved alarm is not told until it is shown again', async () => {
  await rule()
  const shelved = await alarm('Shelved', { severity: 6, shelf_id: crypto.randomUUID() })
  const id = await server.raise(shelved)
  await decided('DROPPED', 'shelf')
  expect(await endOf(id)).toMatchObject({ gate: 'shelf', state: 'stopped' })
  server.pass(1_000)
  await server.change({ ...shelved, shelf_id: null }, 'unshelved')
  await server.post.mailTo('oskar@plant.example')
  expect((await whyOf(id)).rules.map(({ isTold }) => isTold)).toEqual([false, true])
})

test('an alarm that a shelf holds is not told, why names who shelved it, and its end is told while it is active', async () => {
  const raised = await alarm('Held', { severity: 6 })
  const id = await server.raise(raised)
  await server.server.settle()
  const shelf_id = await server.shelve(raised, 3_600_000)
  const at = server.clock.now.getTime() + 3_600_000
  await rule({ longreach: { channels: ['mail'] } })
  server.pass(1_000)
  await server.change({ ...raised, shelf_id }, 'again')
  await decided('DROPPED', 'shelf')
  expect(await endOf(id)).toEqual({
    gate: 'shelf',
    state: 'stopped',
    saw: `ann until ${new Date(at).toISOString()}`,
    values: { person: 'ann', at },
  })
  expect(server.post.taken).toEqual([])
  server.pass(3_600_000)
  await server.endShelves()
  await server.post.mailTo('oskar@plant.example')
  expect((await whyOf(id)).rules.map(({ kind, isTold }) => [kind, isTold])).toEqual([
    ['again', false],
    ['unshelved', true],
  ])
})

test.each([
  ['acknowledged', { ack_required: false }, 0],
  ['not acknowledged', {}, 1],
])('after the time to acknowledge an alarm that is %s makes %# mails', async (_, change, mails) => {
  await rule({ ackTime: 5, longreach: { channels: ['mail'] } })
  const one = await alarm('Waits', { severity: 6 })
  const id = await server.raise(one)
  await decided('WAITING', 'ack')
  expect(await endOf(id)).toMatchObject({
    gate: 'ack',
    state: 'waits',
    saw: expect.stringContaining(':05:00'),
  })
  await server.change({ ...one, ...change }, 'acknowledged')
  server.pass(300_000)
  if (mails === 0) {
    await decided('DROPPED', 'ack')
    expect(await endOf(id)).toMatchObject({ gate: 'ack', state: 'stopped' })
  } else await server.post.mailTo('oskar@plant.example')
  expect(server.post.taken).toHaveLength(mails)
})

test('on days and at hours without messages nothing goes out', async () => {
  await rule({ days: ['SUNDAY'] })
  const id = await raise('Quiet')
  await decided('DROPPED', 'day')
  expect(await endOf(id)).toMatchObject({ gate: 'day', state: 'stopped' })
})

test('a digest waits for its time, and the worst alarm does not', async () => {
  await rule({
    longreach: { digest: { at: ['18:00'] }, zone: 'Europe/Berlin', channels: ['mail'] },
  })
  const id = await raise('Slow', { severity: 5 })
  await server.decisions((rows) => rows[0]?.state === 'GROUPED')
  expect(await endOf(id)).toMatchObject({
    gate: 'digest',
    state: 'waits',
    saw: expect.stringContaining('T17:00:00'),
  })
  await raise('Now', { severity: 6 })
  await server.deliveries((rows) => rows.length === 1 && rows[0]?.state === 'SENT')
  expect(subjects()[0]).toContain('2 Alarme an Oven 7, zuerst: Now')
})

test('the end of an alarm is told where it is asked for, after the alarm itself', async () => {
  await rule({ recipientFilters: ['vera'], longreach: { onReturn: true, channels: ['mail'] } })
  const one = await alarm('Gone', { severity: 5 })
  await server.raise(one)
  await server.deliveries((rows) => rows[0]?.state === 'SENT')
  server.pass(125_000)
  await server.change({ ...one, active: false, returned_t: server.clock.now }, 'returned')
  await server.decisions(
    (rows) => (rows.length === 2 && rows[1]?.state === 'GROUPED') || rows[1]?.state === 'TOLD',
  )
  server.pass(10_000)
  await server.deliveries(
    (rows) => rows.length === 2 && rows.every(({ state }) => state === 'SENT'),
  )
  expect(subjects()[1]).toBe('Over after 2 min 5 s: Oven 7: Gone')
})

test('the 21st mail of an hour is held back, counted, and told when the hour is over', async () => {
  await rule({ recipientFilters: ['vera'], longreach: { group: 'device', channels: ['mail'] } })
  for (let n = 0; n < 23; n += 1)
    await server.raise(await alarm('Same', { severity: 5 }, `Pump ${n}`))
  const rows = await server.deliveries(
    (all) => all.length === 23 && all.every(({ state }) => state === 'SENT' || state === 'DROPPED'),
  )
  expect(rows.filter(({ gate }) => gate === 'rate')).toHaveLength(3)
  server.pass(3_600_001)
  const { tellHeld } = await import('../messages/held.ts')
  await tellHeld({ db: server.db, now: () => server.clock.now })
  await server.deliveries(
    (all) => all.length === 24 && all.every(({ state }) => state === 'SENT' || state === 'DROPPED'),
  )
  expect(subjects().at(-1)).toBe('And 3 more messages')
  expect(await server.db.selectFrom('held').selectAll().execute()).toEqual([])
})

test('only who may read the device gets its alarm, also when a right was lost meanwhile', async () => {
  await rule({
    recipientFilters: ['oskar', 'mia', 'group:nobody-here'].slice(0, 2),
    longreach: { channels: ['mail', 'inbox'] },
  })
  const id = await raise('Secret', { severity: 6 })
  const rows = await server.deliveries(
    (all) => all.length === 4 && all.every(({ state }) => state === 'SENT' || state === 'DROPPED'),
  )
  const gates = rows.map((one) => `${one.recipient_name} ${one.channel} ${one.state} ${one.gate}`)
  expect(gates.toSorted()).toEqual([
    'mia inbox DROPPED no_right',
    'mia mail DROPPED no_right',
    'oskar inbox SENT ',
    'oskar mail SENT ',
  ])
  expect(await endOf(id, 'mia')).toMatchObject({ gate: 'no_right', state: 'stopped' })
  expect(await endOf(id, 'vera')).toMatchObject({ gate: 'recipient', state: 'stopped', saw: '' })
  expect(await endOf(id)).toMatchObject({ gate: 'delivery', state: 'passed' })
  const mia = await server.as(server.people.member).inbox({ query: { organization: org } })
  expect(mia).toEqual({ data: [], next: null, unread: 0 })
  await expect(whyOf(id, 'oskar', server.people.foreigner)).rejects.toMatchObject({ status: 404 })
})

test('preferences choose channels and hours; the inbox is never silent', async () => {
  const set = (settings: object) =>
    server
      .as(server.people.operator)
      .setPreferences({ query: { organization: org }, body: settings })
  await set({ quiet: { from: '12:00', to: '13:00', zone: 'UTC', through: 6 } })
  await rule()
  const id = await raise('Quiet', { severity: 5 })
  const rows = await server.deliveries(
    (all) => all.length === 2 && all.every(({ state }) => state === 'SENT' || state === 'DROPPED'),
  )
  expect(rows.map(({ channel, gate }) => `${channel} ${gate}`).toSorted()).toEqual([
    'inbox ',
    'mail quiet',
  ])
  expect(await endOf(id)).toMatchObject({ gate: 'quiet', state: 'stopped', saw: 'mail' })
  const inbox = () => server.as(server.people.operator).inbox({ query: { organization: org } })
  expect(await inbox()).toMatchObject({
    unread: 1,
    data: [{ subject: '[Hoch] Oven 7: Quiet', isRead: false }],
  })
  await server.as(server.people.operator).readInbox({ query: { organization: org }, body: {} })
  expect(await inbox()).toMatchObject({ unread: 0, data: [{ isRead: true }] })
  await set({ bySeverity: { '6': ['mail'] }, language: 'fr' })
  await raise('Loud', { severity: 6 })
  expect((await server.post.mailTo('oskar@plant.example')).text).toContain('Critique')
})

test('alarms of a device in the trash are not told', async () => {
  await rule()
  const device_id = await server.device(org, 'Old', { deleted: true })
  const id = await server.raise({ org, device_id, name: 'Deleted' })
  await decided('DROPPED', 'device')
  expect(await endOf(id)).toMatchObject({ gate: 'device' })
})

test('who may read some paths is told of alarms on these paths alone, and finds no other', async () => {
  const query = { organization: org }
  const core = server.server.as(server.people.administrator, coreContract)
  const reads = [
    { resource: 'alarms', actions: ['read'] },
    { resource: 'notifications', actions: ['read'] },
  ] as const
  for (const [name, type, rules, modelPath] of [
    ['reads-alarms', 'APPLICATION', reads, undefined],
    ['reads-heat', 'DEVICE', [{ resource: 'devices', actions: ['read'] }], 'Oven:1/heat'],
  ] as const)
    await core.createRole({
      params: { org },
      body: {
        name,
        label: name,
        type,
        rules: rules.map(({ resource, actions }) => ({ resource, actions: [...actions] })),
        ...(modelPath && { modelPathPermissions: [{ modelPath, read: true }] }),
      },
    })
  const pia = await addPerson(server.server, server.people.administrator, {
    org: server.organizations.service,
    username: 'pia',
    roles: ['reads-alarms', 'reads-heat'],
  })
  await server.address(pia, 'pia@plant.example')
  await rule({ recipientFilters: ['pia'], longreach: { channels: ['mail', 'inbox'] } })
  const onPaths = (name: string, paths: string[] | null) => raise(name, { severity: 6, paths })
  const hidden = [
    await onPaths('Secret speed', ['Oven:1/speed']),
    await onPaths('Secret both', ['Oven:1/heat', 'Oven:1/speed']),
    await onPaths('Secret own', null),
  ]
  await server.deliveries(
    (rows) => rows.length > 0 && rows.every(({ gate }) => gate === 'no_right'),
  )
  server.pass(300_000)
  const seen = await onPaths('Heat', ['Oven:1/heat'])
  await server.deliveries((rows) => rows.filter(({ state }) => state === 'SENT').length === 2)
  const { data } = await server.as(pia).inbox({ query })
  expect(data.map(({ subject }) => subject)).toEqual(['[Critical] Oven 7: Heat'])
  const mails = server.post.taken.map(({ text }) => text)
  expect(mails).toHaveLength(1)
  expect(mails.join('')).not.toContain('Secret')
  const why = (alarm: string) => server.as(pia).why({ query: { ...query, alarm } })
  expect((await why(seen)).alarm).toMatchObject({ name: 'Heat' })
  for (const alarm of hidden) {
    await expect(why(alarm)).rejects.toMatchObject({ status: 404 })
    await expect(server.as(pia).told({ query: { ...query, alarm } })).rejects.toMatchObject({
      status: 404,
    })
  }
  const tried = await server.as(pia).tryNotification({
    query,
    body: { notification: { name: 'x' }, alarmIds: [...hidden, seen] },
  })
  expect(tried.data.map(({ name }) => name)).toEqual(['Heat'])
})
