import { coreContract } from '@longreach/core/contract'
import { createSecrets } from '@longreach/kit/secrets'
import { publish } from '@longreach/kit/events'
import { scriptedServer } from '@longreach/mail/smtp-testing'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NotificationsDeps } from '../deps.ts'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'
import { claimDeliveries, endAttempt } from './delivery-store.ts'
import { startSender } from './sender.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  await server.address(server.people.operator, 'oskar@plant.example')
  await server.address(server.people.viewer, 'vera@plant.example')
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.clear()
  server.server.site.mail = server.post.settings
})

const organization = 'nordwerk.service'
const query = { organization }
const minute = 60_000
const admin = () => server.as(server.people.administrator)
const rule = (recipientFilters = ['oskar']) =>
  admin().createNotification({
    query,
    body: { name: 'Ovens', recipientFilters, longreach: { channels: ['mail'] } },
  })
async function raise(name = 'Too hot') {
  const device_id = await server.device(organization, 'Oven 7')
  return server.raise({ org: organization, device_id, name, severity: 6 })
}
const only = async (fits: (row: Row) => boolean) => {
  const [row] = await server.deliveries((rows) => rows.length === 1 && fits(rows[0]!))
  return row!
}
type Row = Awaited<ReturnType<NotificationsTest['deliveries']>>[number]
const messageIds = (texts: readonly string[]) =>
  texts.map((text) => /^Message-ID: (.*?)\s*$/im.exec(text)?.[1])

test('a process that is killed between claim and answer: sent again with the same id, marked as a possible repeat', async () => {
  const strange = await scriptedServer({ content: 'silence' })
  server.server.site.mail = strange.server
  try {
    await rule()
    await raise()
    await expect.poll(() => strange.state.mails.length, patience).toBe(1)
    const claimed = await only(({ state }) => state === 'SENDING')
    // Its process does not end the attempt; its reservation ends.
    server.server.site.mail = server.post.settings
    server.pass(minute)
    await server.post.mailTo('oskar@plant.example')
    const sent = await only(({ state }) => state === 'SENT')
    expect(sent).toMatchObject({ id: claimed.id, attempt: 2, repeated: true })
    expect(messageIds(server.post.taken.map(({ text }) => text))).toEqual(
      messageIds(strange.state.mails),
    )
    expect(server.post.taken[0]?.text).toContain('This message may have reached you before.')
    // The first process comes back: its late result changes nothing.
    const late = await endAttempt(server.db, claimed, { state: 'FAILED' }, server.clock.now)
    expect(late).toBeUndefined()
    strange.state.script = {}
    strange.hangUp()
  } finally {
    await strange.close()
  }
})

test('a mail server that is away for an hour loses nothing', async () => {
  server.server.site.mail = { url: 'smtp://127.0.0.1:9', from: 'a@longreach.test' }
  await rule()
  await raise()
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const waiting = await only((row) => row.state === 'WAITING' && row.attempt === attempt)
    expect(waiting.answer).not.toBe('')
    server.pass(waiting.next_at.getTime() - server.clock.now.getTime())
  }
  await only((row) => row.state === 'WAITING' && row.attempt === 5)
  server.server.site.mail = server.post.settings
  server.pass(60 * minute)
  await server.post.mailTo('oskar@plant.example')
  expect(server.post.taken).toHaveLength(1)
  expect(await only(({ state }) => state === 'SENT')).toMatchObject({ repeated: false })
})

test('after a day of failures a delivery is in the list of failures, and can be sent again [C-29 in part]', async () => {
  server.server.site.mail = { url: 'smtp://127.0.0.1:9', from: 'a@longreach.test' }
  await rule()
  await raise()
  await only((row) => row.state === 'WAITING' && row.attempt === 1)
  server.pass(24 * 60 * minute)
  const rows = await server.deliveries((all) =>
    all.some(({ state, channel }) => state === 'SENT' && channel === 'inbox'),
  )
  expect(rows.filter(({ state }) => state === 'FAILED')).toHaveLength(1)
  // Adam saved the rule: he is told once, and not of the failure of that message.
  const { data: told } = await admin().inbox({ query })
  expect(told.map(({ subject }) => subject)).toEqual(['A message to oskar was not delivered'])
  expect(told[0]?.body).toContain('rule “Ovens” to oskar (mail)')
  const { data } = await admin().failedNotifications({ query })
  expect(data).toMatchObject([{ type: 'mail', destination: 'oskar', input: 'Oven 7: Too hot' }])
  server.server.site.mail = server.post.settings
  await admin().sendAgain({ params: { id: data[0]!.id }, query, body: {} })
  await server.post.mailTo('oskar@plant.example')
})

test('a mail server that refuses one recipient sends to the others', async () => {
  await rule(['oskar', 'vera'])
  await server.address(server.people.operator, 'no address')
  await raise()
  const rows = await server.deliveries(
    (all) => all.length === 2 && all.every(({ state }) => state === 'SENT' || state === 'DROPPED'),
  )
  expect(rows.map((row) => `${row.recipient_name} ${row.state} ${row.gate}`).toSorted()).toEqual([
    'oskar DROPPED no_address',
    'vera SENT ',
  ])
  await server.address(server.people.operator, 'oskar@plant.example')
  server.post.refuse(550, 'oskar@plant.example')
  await raise('Refused')
  server.pass(5 * minute)
  // Adam, who saved the rule, is told of the failure, too.
  const ofRule = (all: Row[]) => all.filter(({ recipient_name: name }) => name !== 'adam')
  const later = await server.deliveries((all) => {
    const isOpen = ({ state }: Row) => state === 'WAITING' || state === 'SENDING'
    return ofRule(all).length === 4 && !ofRule(all).some(isOpen)
  })
  const ends = ofRule(later)
  expect(ends.map((row) => `${row.recipient_name} ${row.state}`).toSorted()).toEqual([
    'oskar DROPPED',
    'oskar FAILED',
    'vera SENT',
    'vera SENT',
  ])
})

test('a mail server that hangs in the middle of a mail: it is sent again, and the first connection leaves nothing', async () => {
  const strange = await scriptedServer({ DATA: 'silence' })
  server.server.site.mail = strange.server
  try {
    await rule()
    await raise()
    await expect.poll(() => strange.state.commands.includes('DATA'), patience).toBe(true)
    const claimed = await only(({ state }) => state === 'SENDING')
    // Its reservation ends while the server still says nothing.
    server.server.site.mail = server.post.settings
    server.pass(minute)
    await server.post.mailTo('oskar@plant.example')
    expect(await only(({ state }) => state === 'SENT')).toMatchObject({
      id: claimed.id,
      attempt: 2,
    })
    expect(strange.state.mails).toEqual([])
    strange.hangUp()
    // The end of the first attempt changes nothing.
    expect(await only(({ state }) => state === 'SENT')).toMatchObject({ attempt: 2 })
  } finally {
    await strange.close()
  }
})

test('a webhook that answers 429 for ever is tried for a day, ever more rarely, and then stands in the list of failures', async () => {
  let calls = 0
  const busy = createServer((request, response) => {
    request.resume().on('end', () => {
      calls += 1
      response.writeHead(429, { 'Retry-After': '10' }).end('slow down')
    })
  })
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = busy.address() as { port: number }
    const { id } = await admin().createChannel({
      query,
      body: { name: 'Busy', type: 'webhook', config: { url: `http://127.0.0.1:${port}/` } },
    })
    await rule([`channel:${id}`])
    await raise()
    const own = async (fits: (row: Row) => boolean) => {
      const rows = await server.deliveries((all) =>
        all.some((row) => row.channel === 'webhook' && fits(row)),
      )
      return rows.find(({ channel }) => channel === 'webhook')!
    }
    const waits: number[] = []
    for (let attempt = 1; ; attempt += 1) {
      const row = await own((one) => one.attempt === attempt && one.state !== 'SENDING')
      if (row.state !== 'WAITING') break
      waits.push(row.next_at.getTime() - server.clock.now.getTime())
      server.pass(waits.at(-1)!)
    }
    const failed = await own(({ state }) => state === 'FAILED')
    expect(failed).toMatchObject({ answer: '429 slow down', repeated: false })
    expect(server.clock.now.getTime()).toBeLessThanOrEqual(failed.until.getTime())
    expect(waits.every((wait) => wait >= 10_000)).toBe(true)
    expect(Math.max(...waits)).toBeGreaterThan(2 * 60 * minute)
    expect(calls).toBe(waits.length + 1)
    expect(calls).toBeLessThan(15)
    const { data } = await admin().failedNotifications({ query })
    expect(data).toMatchObject([{ type: 'webhook', error: '429 slow down' }])
  } finally {
    busy.close()
  }
})

test('the owner of a rule who lost the right to read notifications is not told whose message failed', async () => {
  await rule()
  await server.db.updateTable('notification').set({ owner: server.people.member.sub }).execute()
  server.post.refuse(550)
  await raise()
  await only(({ state }) => state === 'FAILED')
  // The next failure is that of a rule whose owner may read them: it is told, and the first was not.
  await server.db
    .updateTable('notification')
    .set({ owner: server.people.administrator.sub })
    .execute()
  server.pass(5 * minute)
  await raise('Again')
  await server.deliveries((all) =>
    all.some(({ channel, state }) => channel === 'inbox' && state === 'SENT'),
  )
  const told = await server.db.selectFrom('inbox_item').select('sub').execute()
  expect(told).toEqual([{ sub: server.people.administrator.sub }])
})

test('two processes that claim at once get different deliveries, and at most four of a host', async () => {
  await rule()
  server.server.site.mail = { url: 'smtp://127.0.0.1:9', from: 'a@longreach.test' }
  await raise()
  const waiting = await only((row) => row.state === 'WAITING' && row.attempt === 1)
  const copies = Array.from({ length: 20 }, (_, n) => ({
    ...waiting,
    id: crypto.randomUUID(),
    recipient: `r${n}`,
    host: n < 10 ? 'slow' : `host ${n}`,
    state: 'WAITING' as const,
    next_at: new Date(0),
    created_at: new Date(0),
  }))
  // Not due for the sender of the test server, whose clock is set back.
  server.clock.now = new Date(-1_000)
  await server.db.insertInto('delivery').values(copies).execute()
  const claim = (busy = new Map<string, number>()) =>
    claimDeliveries(server.db, { now: new Date(1_000), most: 50, perHost: 4, busy })
  const [one, two] = await Promise.all([claim(), claim()])
  const ids = [...one, ...two].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const some of [one, two]) {
    expect(some.filter(({ host }) => host === 'slow').length).toBeLessThanOrEqual(4)
  }
  const busy = new Map([['slow', 4]])
  expect((await claim(busy)).filter(({ host }) => host === 'slow')).toEqual([])
})

/** Dependencies that a sender with its own way to send does not use. */
const unused: Pick<NotificationsDeps, 'clients' | 'admit' | 'secrets'> = {} as never

test('a receiver that hangs holds up no other', async () => {
  await rule()
  await raise()
  const sent = await only(({ state }) => state === 'SENT')
  const answers: string[] = []
  const waiting = Promise.withResolvers<void>()
  const rows = Array.from({ length: 8 }, (_, n) => ({
    ...sent,
    id: crypto.randomUUID(),
    recipient: `r${n}`,
    host: n < 6 ? 'hangs' : 'answers',
    channel: 'none',
    state: 'WAITING' as const,
    attempt: 0,
    next_at: new Date(0),
    created_at: new Date(0),
  }))
  server.clock.now = new Date(-1_000)
  await server.db.insertInto('delivery').values(rows).execute()
  const sender = startSender({
    db: server.db,
    ...unused,
    site: server.server.site,
    now: () => new Date(2_000),
    log: server.server.app.log,
    send: {
      async one({ delivery: { host } }) {
        if (host === 'hangs') await waiting.promise
        answers.push(host)
        return { kind: 'sent', answer: '' }
      },
      close: () => undefined,
    },
  })
  await expect.poll(() => answers, patience).toEqual(['answers', 'answers'])
  const claimed = await server.db
    .selectFrom('delivery')
    .select('id')
    .where('host', '=', 'hangs')
    .where('state', '=', 'SENDING')
    .execute()
  expect(claimed).toHaveLength(4)
  waiting.resolve()
  await expect.poll(() => answers.length, patience).toBe(8)
  await sender.close()
})

test('sixteen receivers that hang take more than all places, and the others go on', async () => {
  await rule()
  await raise()
  const sent = await only(({ state }) => state === 'SENT')
  const rows = Array.from({ length: 104 }, (_, n) => ({
    ...sent,
    id: crypto.randomUUID(),
    recipient: `r${n}`,
    host: n < 64 ? `hangs ${n % 16}` : `answers ${n % 10}`,
    channel: 'none',
    state: 'WAITING' as const,
    attempt: 0,
    // Those that hang are the first.
    next_at: new Date(n),
    created_at: new Date(0),
  }))
  server.clock.now = new Date(-1_000)
  await server.db.insertInto('delivery').values(rows).execute()
  const waiting = Promise.withResolvers<void>()
  let answers = 0
  const sender = startSender({
    db: server.db,
    ...unused,
    site: server.server.site,
    now: () => new Date(2_000),
    log: server.server.app.log,
    send: {
      async one({ delivery: { host } }) {
        if (host.startsWith('hangs')) await waiting.promise
        else answers += 1
        return { kind: 'sent', answer: '' }
      },
      close: () => undefined,
    },
  })
  await expect.poll(() => answers, patience).toBe(40)
  waiting.resolve()
  await sender.close()
})

test('a person who is removed gets nothing more, and the list of deliveries says so', async () => {
  await rule(['oskar', 'vera'])
  await server.database.pool.query(
    `delete from core.membership where user_id = (select id from core.app_user where username = 'vera' and realm = 'nordwerk')`,
  )
  try {
    await raise()
    const rows = await server.deliveries(
      (all) =>
        all.length === 2 && all.every(({ state }) => state === 'SENT' || state === 'DROPPED'),
    )
    expect(rows.map((row) => `${row.recipient_name} ${row.gate}`).toSorted()).toEqual([
      'oskar ',
      'vera removed',
    ])
  } finally {
    await server.database.pool.query(
      `insert into core.membership (user_id, organization_id)
       select u.id, o.id from core.app_user u, core.organization o
       where u.username = 'vera' and u.realm = 'nordwerk' and o.resource_id = $1`,
      [organization],
    )
  }
})

test('a deleted organization gets no messages, and a purged one leaves nothing', async () => {
  await rule()
  const status = (text: string) =>
    server.database.pool.query('update core.organization set status = $1 where resource_id = $2', [
      text,
      organization,
    ])
  await status('DELETED')
  await raise()
  await server.decisions((rows) => rows.length === 1 && rows[0]?.state === 'TOLD')
  expect(await server.db.selectFrom('delivery').selectAll().execute()).toEqual([])
  await status('ACTIVE')
  await raise('Restored')
  server.pass(5 * minute)
  await server.post.mailTo('oskar@plant.example')
  await server.database.db.transaction().execute((tx) =>
    publish(tx, coreContract.events.organizationPurged, {
      resourceId: organization,
      organizations: [{ id: 1, resourceId: organization }],
      at: 0,
    }),
  )
  await server.server.settle()
  for (const table of ['notification', 'decision', 'message', 'delivery', 'inbox_item'] as const) {
    expect(await server.db.selectFrom(table).selectAll().execute()).toEqual([])
  }
})

test('a channel whose secrets cannot be opened fails, and the others go on', async () => {
  const channel = await admin().createChannel({
    query,
    body: { name: 'Broken', type: 'webhook', config: { url: 'http://127.0.0.1:9/' } },
  })
  const foreign = createSecrets(Buffer.alloc(32, 9)).seal('x', '{}')
  await rule(['oskar', `channel:${channel.id}`])
  await server.db.updateTable('channel').set({ secrets: foreign }).execute()
  await raise()
  await server.post.mailTo('oskar@plant.example')
  const rows = await server.deliveries((all) =>
    all.some((row) => row.channel === 'webhook' && row.answer !== ''),
  )
  expect(rows.find(({ channel: type }) => type === 'webhook')).toMatchObject({
    state: 'WAITING',
    answer: expect.stringContaining('Internal error'),
  })
})
