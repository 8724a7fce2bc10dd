import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdDatabase } from './absent-database.ts'
import { addDevice, type Calls, makePreset, signInByHttp } from './calls.ts'
import { pair } from './device.ts'
import { MovingLine } from './moving-line.ts'
import { type GroupServer, owner, type ServerGroup, startServerGroup } from './server-group.ts'

// The database is away in the middle of a flood of alarms: each of them comes, once, and all of them in one message.
// DATABASE_AWAY_S says for how long it is away, FLOOD_DEVICES how many devices send: each raises 100 alarms.

const awayMs = Number(process.env['DATABASE_AWAY_S'] ?? 5) * 1_000
const devices = Number(process.env['FLOOD_DEVICES'] ?? 10)
/** Alarms of each device: most by rules, each at a value of its own, the others of the device itself. */
const [byRules, byItself] = [95, 5]
const wanted = devices * (byRules + byItself)

const { organization } = owner
const query = `organization=${organization}`
const alarms = 'platform/api/v1/alarms'
const notification = 'notification/api/v1'
const patient = { timeout: 240_000, interval: 500 }

let group: ServerGroup
let server: GroupServer
let call: Calls
/** Rule of notifications about all alarms. */
let notificationId: string
const plant: { deviceId: string; line: MovingLine }[] = []
/** Ids of the messages that the receiver got. */
const received: string[] = []
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']))
  request.resume().once('end', () => void response.end('ok'))
})

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  group = await startServerGroup(0)
  server = await group.add({ OUTSIDE_HTTP: 'on', OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' })
  call = await signInByHttp(server.own, owner)
  await makeReceiver()
  const presetId = await makePreset(call, organization, 'Press')
  for (let n = 1; n <= byRules; n += 1) await makeRule(n)
  for (let n = 0; n < devices; n += 1) {
    const label = `Press ${n}`
    const { deviceId, activationKey } = await addDevice(call, organization, { label, presetId })
    const paired = await pair(server.own, activationKey)
    const line = new MovingLine([server], paired, { window: 4, moves: [] }, 0)
    await line.connect(0)
    plant.push({ deviceId, line })
  }
})
afterAll(async () => {
  for (const { line } of plant) await line.close()
  await group?.stop()
  receiver.closeAllConnections()
  receiver.close()
})

async function makeReceiver() {
  const address = receiver.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const hook = await call<{ id: string }>('POST', `${notification}/channels?${query}`, {
    name: 'Hook',
    type: 'webhook',
    config: { url: `http://127.0.0.1:${port}/` },
  })
  const made = await call<{ id: string }>('POST', `${notification}/notifications?${query}`, {
    name: 'All',
    recipientFilters: [{ type: 'channel', id: hook.id }],
  })
  notificationId = made.id
}

const makeRule = (n: number) =>
  call('POST', `${alarms}/rules?${query}`, {
    rule: {
      name: `Above ${n}`,
      kind: 'condition',
      scope: { model: 'Press:1' },
      when: { path: 'Press:1/double', op: '>=' },
      levels: [{ severity: 3, value: n }],
    },
  })

/** Values of a device in a flood, one for each of its rules, and alarms of its own between them. */
function flood(start: number) {
  const at = (n: number) => start + n * 1_000
  return Array.from({ length: byRules + byItself }, (_, n) =>
    n % 20 === 19
      ? { alarm: `Own ${n}`, t: at(n) }
      : { tag: 'double' as const, v: n + 1 - Math.floor(n / 20), t: at(n) },
  )
}

/** Alarms of a flood as they have to be: by their names, with their times, raised once. */
const expected = (start: number) =>
  plant.flatMap(({ deviceId }) =>
    flood(start).map((one) =>
      [deviceId, 'alarm' in one ? one.alarm : `Above ${one.v}`, one.t, 1].join(' '),
    ),
  )

type Shown = {
  deviceId: string
  name: string
  longreach: { since: number; raises: number; withdrawn: boolean }
}

/** Alarms that are active, as people see them. */
async function shown() {
  const found: Shown[] = []
  for (let page = 0; ; page += 1) {
    const { data, last } = await call<{ data: Shown[]; last: boolean }>(
      'POST',
      `${alarms}/search?${query}`,
      { data: 'status == "ACTIVE"', page, pageSize: 1_000, orderBy: 'id', orderDir: 'asc' },
    )
    found.push(...data)
    if (last) break
  }
  return found
    .filter(({ longreach }) => !longreach.withdrawn)
    .map(({ deviceId, name, longreach: { since, raises } }) =>
      [deviceId, name, since, raises].join(' '),
    )
}

test('while the database stands still in a flood, no alarm is lost, none comes twice, and one message tells of all [E-15]', async () => {
  const pid = server.pid()
  const start = Date.now() - 600_000
  const sent = () => plant.reduce((sum, { line }) => sum + line.acknowledged, 0)
  const sending = Promise.all(plant.map(({ line }) => line.send(flood(start))))
  const absence = async () => {
    while (sent() < wanted / 3) await pause(5)
    const letGo = await holdDatabase(group)
    await pause(awayMs)
    await letGo()
  }
  await Promise.all([sending, absence()])
  call = await signInByHttp(server.own, owner)
  const all = expected(start).toSorted()
  await expect.poll(async () => (await shown()).length, patient).toBe(all.length)
  expect((await shown()).toSorted()).toEqual(all)
  await isToldOnce()
  // It was the same process all the time.
  expect([server.pid(), server.isRunning()]).toEqual([pid, true])
})

/** Each alarm has a decision that is judged, and all are in one message. */
async function isToldOnce() {
  const db = new pg.Client(group.connection)
  await db.connect()
  const ofRule = async (table: string, where = 'true') => {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from notifications.${table}
        where notification_id = $1 and ${where}`,
      [notificationId],
    )
    return rows[0]?.count
  }
  try {
    await expect
      .poll(() => ofRule('decision', `state in ('GROUPED', 'TOLD')`), patient)
      .toBe(wanted)
    expect(await ofRule('decision')).toBe(wanted)
    await expect.poll(() => new Set(received).size, patient).toBe(1)
    expect(await ofRule('message')).toBe(1)
  } finally {
    await db.end()
  }
}
