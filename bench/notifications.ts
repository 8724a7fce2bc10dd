import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import {
  alarmsForNotifications,
  writeAlarm,
  writeDevice,
} from '@longreach/alarms/notification-testing'
import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, ownerOf, root } from '@longreach/core/testing'
import { client } from '@longreach/kit/client'
import type { Contract } from '@longreach/kit/contract'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets } from '@longreach/kit/secrets'
import { serve } from '@longreach/kit/serve'
import type { Caller } from '@longreach/kit/service'
import { notifications } from '@longreach/notifications'
import { notificationsContract } from '@longreach/notifications/contract'
import type { Kysely } from 'kysely'
import type { NotificationsDb } from '../services/notifications/src/database.ts'
import {
  insertDeliveries,
  insertMessage,
} from '../services/notifications/src/messages/message-store.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- notifications [--receivers=100] [--hanging=10] [--seconds=12] [--rounds=2]
// Signed webhooks to local receivers in a process of their own: each message is about an alarm, is written with a
// delivery for every receiver, composed by the rights of each, sent, and its result stored. The peer inserts
// a row and posts the same body, 50 at a time, in the same run. Then some receivers never answer.
const receivers = argument('receivers', 100)
const hanging = argument('hanging', 10)
const seconds = argument('seconds', 12)
const rounds = argument('rounds', 2)
/** Deliveries that wait while more are written. */
const backlog = 500
const atOnce = 50
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir })
const database = openDatabase(postgres.connection, () => undefined) // ends with the server below
const tokenOf = (caller: Caller) => Buffer.from(JSON.stringify(caller)).toString('base64url')
const house: Caller = { kind: 'service', sub: 'bench', username: 'bench', realm: '' }
const { app, start } = await serve(
  [identityForTests, core, alarmsForNotifications, notifications],
  {
    ...database,
    secrets: createSecrets(Buffer.alloc(32, 1)),
    site: {
      origin: 'http://bench.test',
      dataDir,
      mqttPort: 0,
      outside: { http: true, networks: ['127.0.0.0/8'] },
    },
    authenticate: () => async (token) =>
      JSON.parse(Buffer.from(token, 'base64url').toString()) as Caller,
    admit: coreAuthorizer,
    serviceToken: () => tokenOf(house),
  },
)
const as = <C extends Contract>(caller: Caller | undefined, contract: C) =>
  client(
    contract,
    fetchOf(app, undefined, caller ? { authorization: `Bearer ${tokenOf(caller)}` } : {}),
  )
const server = { as, asService: <C extends Contract>(contract: C) => as(house, contract), database }
const running = await start()
const db = database.db.withSchema('notifications') as unknown as Kysely<NotificationsDb> // its tables

const child = fork(fileURLToPath(new URL('notifications/receivers.ts', import.meta.url)), [
  String(receivers),
])
const [{ ports }] = (await once(child, 'message')) as [{ ports: number[] }]
async function answered() {
  child.send('count')
  const [{ answered: count }] = (await once(child, 'message')) as [{ answered: number }]
  return count
}

const organization = 'acme'
await root(server, organization)
const owner = await ownerOf(server, organization)
const api = as(owner, notificationsContract)
const query = { organization }
const addressees = await Promise.all(
  ports.map(async (port, n) => {
    const { id, name } = await api.createChannel({
      query,
      body: { name: `Hook ${n}`, type: 'webhook', config: { url: `http://127.0.0.1:${port}/` } },
    })
    return {
      recipient: id,
      name,
      realm: organization,
      channel: 'webhook',
      channelId: id,
      address: '',
      language: 'en' as const,
      outside: true,
      gate: '' as const,
    }
  }),
)
const rule = await api.createNotification({
  query,
  body: {
    name: 'All',
    recipientFilters: [{ type: 'channel', id: addressees[0]?.recipient ?? '' }],
  },
})
const device = await writeDevice(server as never, { org: organization, label: 'Oven 7' })
const raised = new Date()
const alarm = await writeAlarm(server as never, {
  org: organization,
  device_id: device,
  name: 'Too hot',
  severity: 5,
  start: raised,
})
async function hang(isHanging: boolean) {
  for (const [n, { channelId }] of addressees.slice(0, hanging).entries()) {
    const config = { url: `http://127.0.0.1:${ports[n]}/${isHanging ? 'hang' : ''}`, headers: {} }
    await api.replaceChannel({
      params: { id: channelId },
      query,
      body: { name: `Hook ${n}`, type: 'webhook', config },
    })
  }
}
const hourMs = 3_600_000
/** Write a message about the alarm for all receivers, as if at a time: a receiver gets at most 20 an hour. */
const writeMessage = (at: Date) =>
  db.transaction().execute(async (tx) => {
    const id = crypto.randomUUID()
    const about = { about: 'Oven 7: Too hot', aboutOrg: organization, aboutGroups: [] }
    const message = {
      id,
      notificationId: rule.id,
      org: organization,
      kind: 'alarms' as const,
      ...about,
      total: 1,
      severity: 5,
      facts: { rule: 'All', organization, zone: 'UTC' },
    }
    await insertMessage(tx, message, at)
    await tx
      .insertInto('decision')
      .values({
        notification_id: rule.id,
        version: 1,
        org: organization,
        alarm_id: alarm,
        device_id: device,
        alarm_org: organization,
        kind: 'raised',
        at: new Date(Math.random() * 1e12),
        severity: 5,
        state: 'TOLD',
        gate: '' as const,
        due_at: null,
        bundle_id: null,
        message_id: id,
        created_at: at,
      })
      .execute()
    await insertDeliveries(tx, message, { addressees, now: at })
  })
type Sent = { all: number; answering: number }
/** Deliveries that are stored as sent, and those of receivers that always answer. */
async function sentSoFar(): Promise<Sent> {
  const slow = addressees.slice(0, hanging).map((one) => one.recipient)
  const { rows } = await database.pool.query<Sent>(
    `select count(*)::int as all, count(*) filter (where recipient <> all($1::text[]))::int as answering
    from notifications.delivery where state = 'SENT'`,
    [slow],
  )
  return rows[0] ?? { all: 0, answering: 0 }
}
/** Deliveries a second while messages are written as fast as they are sent. */
async function rateOf(isHanging: boolean): Promise<Sent> {
  await hang(isHanging)
  const begin = await answered()
  const time = Date.now() - 23 * hourMs
  const taking = receivers - (isHanging ? hanging : 0)
  let written = 0
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      if (written * taking - ((await answered()) - begin) < backlog) {
        await writeMessage(new Date(time + Math.floor(written / 20) * hourMs))
        written += 1
      } else await pause(5)
    }
  })()
  await pause(2_000)
  const before = await sentSoFar()
  const begun = performance.now()
  await pause(seconds * 1_000)
  const after = await sentSoFar()
  const passed = (performance.now() - begun) / 1_000
  isOver = true
  await writing
  await emptied(isHanging)
  return {
    all: (after.all - before.all) / passed,
    answering: (after.answering - before.answering) / passed,
  }
}
/** Wait until nothing is under way, and forget what there is. */
async function emptied(isHanging: boolean) {
  for (;;) {
    if (isHanging) await db.deleteFrom('delivery').where('state', '=', 'WAITING').execute()
    const left = await db
      .selectFrom('delivery')
      .select('id')
      .where('state', 'in', isHanging ? ['SENDING'] : ['WAITING', 'SENDING'])
      .executeTakeFirst()
    if (!left) break
    await pause(100)
  }
  await db.deleteFrom('message').execute()
  await database.pool.query('vacuum analyze notifications.delivery')
}
/** Rows and posts a second: one of each, by so many at a time. */
async function bareRate() {
  await database.pool.query('drop table if exists public.plain')
  await database.pool.query(
    'create table public.plain (like notifications.delivery including defaults including indexes)',
  )
  const body = JSON.stringify({ subject: 'x'.repeat(600) })
  const begun = performance.now()
  let done = 0
  const line = async (n: number) => {
    for (let k = 0; performance.now() - begun < seconds * 1_000; k += 1) {
      await database.pool.query(
        `insert into public.plain (id, message_id, org, recipient, recipient_name, realm, channel, language, state, next_at,
          until, created_at, updated_at) values ($1, $1, 'acme', $2, 'Hook', 'acme', 'webhook', 'en', 'SENT', now(), now(),
          now(), now())`,
        [crypto.randomUUID(), `hook ${n}`],
      )
      await post(ports[(n + k * atOnce) % receivers] ?? 0, body)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, n) => line(n)))
  return done / ((performance.now() - begun) / 1_000)
}
async function post(port: number, body: string) {
  const headers = { 'Content-Type': 'application/json' }
  const request = http.request({ port, method: 'POST', headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  response.resume()
  await once(response, 'end')
}
const middle = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
try {
  const taken: { bare: number; all: Sent; some: Sent }[] = []
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds}`)
    const bare = await bareRate()
    const all = await rateOf(false)
    say(`${Math.round(bare)}/s bare, ${Math.round(all.all)}/s deliveries`)
    taken.push({ bare, all, some: await rateOf(true) })
  }
  print(`Notifications to ${receivers} receivers`, [
    {
      what: 'durable deliveries a second',
      unit: '1/s',
      ours: middle(taken.map(({ all }) => all.all)),
      peers: { 'row and post': middle(taken.map(({ bare }) => bare)) },
      better: 'more',
      goal: '1,000/s',
    },
    {
      what: `to the others, while ${hanging} hang`,
      unit: '1/s',
      ours: middle(taken.map(({ some }) => some.answering)),
      peers: { 'all answer': middle(taken.map(({ all }) => all.answering)) },
      better: 'more',
      goal: '0.9 × when all answer',
    },
  ])
} finally {
  child.disconnect()
  await running.close()
  await app.close()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
