import { setTimeout as pause } from 'node:timers/promises'
import { serialize } from 'bson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdDatabase } from './absent-database.ts'
import { type Calls, makeDevice, signInByHttp } from './calls.ts'
import { connectDevice, pair, type Paired, reportWrites } from './device.ts'
import { owner, startServerGroup } from './server-group.ts'

// Alarms of a device while its server is killed, and while the database stands still and is killed: each comes once, and
// nothing is lost.

const { organization } = owner
const query = `organization=${organization}`
const alarms = 'platform/api/v1/alarms'
const patient = { timeout: 90_000, interval: 200 }
let group: Awaited<ReturnType<typeof startServerGroup>>

beforeAll(async () => {
  group = await startServerGroup(2)
})
afterAll(() => group?.stop())

/** Rules of the second test. */
const watches = 20

const at = (index: number) => {
  const server = group.servers[index]
  if (!server) throw new Error(`no server ${index}`)
  return server
}

type Found = {
  id: string
  name: string
  severity: number
  status: string
  ack: string
  longreach: { since: number; returnedAt: number | null; raises: number }
}

async function allAlarms(call: Calls): Promise<Found[]> {
  const { data, totalElements } = await call<{ data: Found[]; totalElements: number }>(
    'POST',
    `${alarms}/search?${query}`,
    { pageSize: 1_000, orderBy: 'eventTimestamp', orderDir: 'asc' },
  )
  expect(totalElements).toBe(data.length)
  return data
}

/** Sends all in order to one server after another, until each is acknowledged: what is not goes again. */
class Line {
  /** Number of messages that were acknowledged. */
  acknowledged = 0
  private device: Awaited<ReturnType<typeof connectDevice>> | undefined
  private sendValue: Awaited<ReturnType<typeof reportWrites>> | undefined
  private server = 1
  private readonly paired: Paired
  constructor(paired: Paired) {
    this.paired = paired
  }

  async connect(server: number) {
    this.server = server
    const broker = `mqtts://localhost:${at(server).mqttPort}`
    this.device = await connectDevice({ ...this.paired, broker })
    this.sendValue = await reportWrites(this.device, 'tag.double')
  }

  value(v: number, t: number) {
    return this.again(() => this.sendValue?.(v, new Date(t)))
  }

  alarm(state: number, started: number, t: number) {
    const v = { name: 'door', desc: 'Door', tag: 'door', sev: 3, state, v_d: 1 }
    const message = { v: { ...v, evTs: new Date(started), ts: new Date(t) }, t: new Date(t) }
    return this.again(() =>
      this.device?.publish(
        '/com.corvina.control.pub.DeviceAlarm/a',
        Buffer.from(serialize(message)),
      ),
    )
  }

  private async again(send: () => Promise<unknown> | undefined) {
    for (;;) {
      try {
        if (this.device?.client.connected === true) {
          await send()
          this.acknowledged += 1
          return
        }
      } catch {
        // The connection has ended: it goes again over the next one.
      }
      await this.connect(1 - this.server).catch(() => pause(200)) // that server is away too
    }
  }

  close() {
    return this.device?.close()
  }
}

const ruleOf = (name: string, value: number, ack: boolean) => ({
  rule: {
    name,
    kind: 'condition',
    scope: { model: 'Press:1' },
    when: { path: 'Press:1/double', op: '>' },
    levels: [{ severity: 5, value }],
    chatter: { max: 0, withinMs: 0 },
    ack,
  },
})

/** Milliseconds for which the database answers nothing. */
const stillMs = 4_000

/** The database stands still for a while; nothing is acknowledged meanwhile. */
async function databaseStandsStill(acknowledged: () => number) {
  const letGo = await holdDatabase(group)
  try {
    await pause(stillMs / 4) // what was durable before is acknowledged
    const before = acknowledged()
    await pause(stillMs)
    // A value may be acknowledged from the log of the server; alarms of devices are not.
    expect(acknowledged() - before).toBeLessThan(2)
  } finally {
    await letGo()
  }
}

/** Ends the database in the middle of what it does; it comes back by itself. */
async function databaseIsKilled() {
  const pid = group.databasePid()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => group.databasePid(), patient).not.toBe(pid)
}

test('a flood of alarms comes to its end once each, while a server is killed, the database stands still and is killed [E-15] [T-07]', async () => {
  const call = await signInByHttp(at(0).own, owner)
  const { activationKey } = await makeDevice(call, organization, 'Press')
  await call('POST', `${alarms}/rules?${query}`, ruleOf('Too hot', 230, false))
  const line = new Line(await pair(at(0).own, activationKey))
  await line.connect(1)
  const start = Date.now() - 3_600_000
  const pulses = 60
  const flood = async (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      const t = start + n * 10_000
      await line.value(240 + n, t)
      await line.alarm(3, t, t)
      await line.value(20, t + 5_000)
      await line.alarm(1, t, t + 5_000)
    }
  }
  await flood(0, 20)
  // Killed while values come that are durable and perhaps not judged, or judged and not taken by alarms.
  const second = flood(20, 40)
  await pause(150)
  await at(1).kill()
  await second
  const third = flood(40, 50)
  await databaseStandsStill(() => line.acknowledged)
  await third
  const fourth = flood(50, pulses)
  await databaseIsKilled()
  await fourth
  await line.value(999, start + pulses * 10_000)
  await expect
    .poll(
      async () => (await allAlarms(call)).filter(({ name }) => name === 'Too hot').length,
      patient,
    )
    .toBe(pulses + 1)

  const wanted = Array.from({ length: pulses }, (_, n) => start + n * 10_000)
  const shown = async (name: string) =>
    (await allAlarms(call))
      .filter((one) => one.name === name)
      .map(({ longreach: { since, returnedAt, raises } }) => ({ since, returnedAt, raises }))
  const ended = wanted.map((since) => ({ since, returnedAt: since + 5_000, raises: 1 }))
  await expect.poll(() => shown('door'), patient).toEqual(ended)
  const last = { since: start + pulses * 10_000, returnedAt: null, raises: 1 }
  await expect.poll(() => shown('Too hot'), patient).toEqual([...ended, last])
})

test('two servers act on the same alarms at once: each is acknowledged once, and the counts are those of a recount', async () => {
  await at(1).restart()
  const calls = [await signInByHttp(at(0).own, owner), await signInByHttp(at(1).own, owner)]
  const [first, second] = calls
  if (!first || !second) throw new Error('no calls')
  // Judged by the newest value, which is beyond all limits.
  for (let n = 0; n < watches; n += 1)
    await first('POST', `${alarms}/rules?${query}`, ruleOf(`Watch ${n}`, 900 + n, true))
  const open = async () => (await allAlarms(first)).filter(({ ack }) => ack === 'REQUIRED')
  await expect.poll(open, patient).toHaveLength(watches)
  const ids = (await open()).map(({ id }) => id)
  type Acted = { done: string[]; skipped: { reason: string }[] }
  const acted = await Promise.all(
    calls.map((call) =>
      call<Acted>('POST', `${alarms}/action/ack?${query}`, { ids, comment: 'both' }),
    ),
  )
  expect(acted.flatMap(({ done }) => done).toSorted()).toEqual(ids.toSorted())
  expect(acted.flatMap(({ skipped }) => skipped)).toHaveLength(ids.length)
  type History = { data: { longreach: { kind: string } }[] }
  for (const id of ids) {
    const { data } = await second<History>('GET', `${alarms}/${id}?${query}`)
    expect(data.filter(({ longreach }) => longreach.kind === 'acknowledged')).toHaveLength(1)
  }
  const left = (await allAlarms(second)).filter(({ status }) => status === 'ACTIVE')
  const counts = await first<{ severity: number; count: number }[]>(
    'GET',
    `${alarms}/severityCount?${query}`,
  )
  expect(counts.filter(({ count }) => count > 0)).toEqual([{ severity: 5, count: left.length }])
})
