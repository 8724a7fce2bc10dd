import { fork } from 'node:child_process'
import pg from 'pg'
import { addDevice, type Calls, makeDevice, signInByHttp } from '../e2e/src/calls.ts'
import { connectDevice, pair, reportWrites } from '../e2e/src/device.ts'
import { watchValues } from '../e2e/src/live.ts'
import { owner, startServerGroup } from '../e2e/src/server-group.ts'
import type { Start, Told } from './processes/devices.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- processes [--devices=1000] [--times=200]
// Two whole servers on one database with NATS between them: a device of one is written to and watched from the
// other; then one with many devices is killed, and what is shown of them becomes right again.
const count = argument('devices', 1_000)
const times = argument('times', 200)
const { organization } = owner

const group = await startServerGroup(2)
const [first, second] = pairOf(group.servers)
const pool = new pg.Pool({ ...group.connection, max: 2 })
try {
  const here = await signInByHttp(first.own, owner)
  const there = await signInByHttp(second.own, owner)
  const reach = await measureReach(here, there)
  const kill = await measureKill(here)
  print(`A device at another process; ${count} devices of a process that is killed`, [
    {
      what: 'write, confirmed, median',
      unit: 'ms',
      ours: reach.writeThere,
      peers: { 'at its own process': reach.writeHere },
      better: 'less',
      goal: '+ 50 ms at most',
    },
    {
      what: 'value on a live socket, p99',
      unit: 'ms',
      ours: reach.liveThere,
      peers: { 'at its own process': reach.liveHere },
      better: 'less',
      goal: '≤ 100 ms',
    },
    limit('all connected again after kill -9', kill.backS, 15),
    limit('all shown at the other process', kill.shownS, 15),
    limit('old line ended after a take-over, longest', reach.takenS, 1),
    limit('devices that stay away are shown so', kill.awayS, 20),
    limit('wrong disconnections in their histories', kill.wrong, 0),
  ])
} finally {
  await pool.end()
  await group.stop()
}

function pairOf<T>([one, other]: readonly T[]): [T, T] {
  if (one === undefined || other === undefined) throw new Error('there are not two')
  return [one, other]
}

function limit(what: string, ours: number, most: number) {
  const unit = what.startsWith('wrong') ? '' : 's'
  return { what, unit, ours, peers: {}, better: 'less' as const, goal: `≤ ${most} ${unit}`.trim() }
}

/** Middle and 99th percentile of times in ms. */
function percentiles(all: readonly number[]) {
  const sorted = all.toSorted((one, other) => one - other)
  const of = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { middle: of(0.5) ?? 0, high: of(0.99) ?? 0 }
}

async function measureReach(call: Calls, callThere: Calls) {
  const press = await connectPress(call)
  await connected(1)
  const writes: [number[], number[]] = [[], []]
  for (let n = 0; n < times; n += 1) {
    writes[0].push(await press.write(call, n))
    writes[1].push(await press.write(callThere, n + 0.5))
  }
  const lives = await measureLives(press)
  const takenS = await measureTakeOvers(press.connect, press.device)
  return {
    writeHere: percentiles(writes[0]).middle,
    writeThere: percentiles(writes[1]).middle,
    liveHere: percentiles(lives[0]).high,
    liveThere: percentiles(lives[1]).high,
    takenS,
  }
}
type Press = Awaited<ReturnType<typeof connectPress>>
type Device = Awaited<ReturnType<typeof connectDevice>>

/** Device of the first server that reports what is written to it. */
async function connectPress(call: Calls) {
  const { deviceId, activationKey, path } = await makeDevice(call, organization, 'Press')
  const paired = await pair(first.own, activationKey)
  const connect = (port: number) =>
    connectDevice({ ...paired, broker: `mqtts://localhost:${port}` })
  const device = await connect(first.mqttPort)
  const send = await reportWrites(device, 'tag.double')
  const place = `platform/api/v1/organizations/${organization}/devices/${deviceId}/tags`
  return {
    deviceId,
    device,
    connect,
    send,
    /** Ms until the device has confirmed the value. */
    async write(by: Calls, v: number) {
      const began = performance.now()
      await by('POST', place, { data: [{ modelPath: path('double'), v }], timeoutMs: 20_000 })
      return performance.now() - began
    },
  }
}

/** Ms from the sending of a value until it is on a live socket: at the device's server, at the other one. */
async function measureLives({ deviceId, send }: Press) {
  const watched = { device: deviceId, path: '**' }
  const here = await watchValues(first.own, owner, watched)
  const there = await watchValues(second.own, owner, watched)
  const lives: [number[], number[]] = [[], []]
  for (let n = 0; n < times; n += 1) {
    const v = 10_000 + n
    const began = performance.now()
    const seen = [here.seen(v), there.seen(v)].map((one) =>
      one.then(() => performance.now() - began),
    )
    await send(v)
    const [live = 0, liveThere = 0] = await Promise.all(seen)
    lives[0].push(live)
    lives[1].push(liveThere)
  }
  for (const { ws } of [here, there]) ws.close()
  return lives
}

/** Longest time in seconds between the acceptance of a connection and the end of the old one elsewhere. */
async function measureTakeOvers(connect: Press['connect'], from: Device) {
  let device = from
  const taken: number[] = []
  for (let n = 0; n < 10; n += 1) {
    const old = device
    const ended = new Promise<number>((done) =>
      old.client.once('close', () => done(performance.now())),
    )
    device = await connect((n % 2 === 0 ? second : first).mqttPort)
    const began = performance.now()
    taken.push(Math.max(0, (await ended) - began) / 1_000)
  }
  await device.close()
  return Math.max(...taken)
}

async function figures() {
  const { rows } = await pool.query<{ connected: number; wrong: number }>(
    `select count(*) filter (where connected)::int as connected,
      (select count(*)::int from platform.connection_event e where not e.connected
        and e.device_id in (select device_id from platform.device_state where label like 'Bench %')) as wrong
     from platform.device_state where label like 'Bench %' or label = 'Press'`,
  )
  return rows[0] ?? { connected: 0, wrong: 0 }
}
async function until(holds: () => Promise<boolean> | boolean) {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 20))
}
function connected(wanted: number) {
  return until(async () => (await figures()).connected === wanted)
}

async function measureKill(call: Calls) {
  const clients: Start['clients'] = []
  let ca = ''
  const make = async (n: number) => {
    const { base, cert, key, ca: authority } = await pairBenchDevice(call, n)
    ca = authority
    clients.push({ base, cert, key })
  }
  say(`pairing ${count} devices`)
  for (let n = 0; n < count; n += 8)
    await Promise.all(Array.from({ length: Math.min(8, count - n) }, (_, at) => make(n + at)))
  const devices = fork(new URL('processes/devices.ts', import.meta.url))
  let open = 0
  devices.on('message', (told: Told) => ({ open } = told))
  try {
    devices.send({
      ports: [second.mqttPort, first.mqttPort],
      ca,
      clients,
    } satisfies Start)
    devices.send('connect')
    await until(() => open === count)
    await connected(count)
    const began = performance.now()
    await second.kill()
    await until(() => open < count / 2)
    await until(() => open === count)
    const backS = (performance.now() - began) / 1_000
    const isHere = async () => {
      const { rows } = await pool.query<{ here: number }>(
        `select count(*)::int as here from platform.line l join bus.process p on p.number = l.node
         where l.lost_at is null and p.beat > now() - interval '15 seconds'
           and exists (select from pg_locks k where k.locktype = 'advisory' and k.objid = p.number::oid and k.classid = 7004)`,
      )
      return rows[0]?.here === count
    }
    await until(isHere)
    await connected(count)
    const shownS = (performance.now() - began) / 1_000
    const { wrong } = await figures()
    // The other way: they stay away, and the process that had them is killed likewise.
    const third = await group.add()
    await until(async () => (await figures()).connected === count)
    devices.send('stay away')
    const killed = performance.now()
    await first.kill()
    await connected(0)
    const awayS = (performance.now() - killed) / 1_000
    await third.stop('keep')
    return { backS, shownS, awayS, wrong }
  } finally {
    devices.kill('SIGKILL')
  }
}

async function pairBenchDevice(call: Calls, n: number) {
  const { activationKey } = await addDevice(call, organization, { label: `Bench ${n}` })
  const paired = await pair(first.own, activationKey)
  return { ...paired, base: `${paired.realm}/${paired.logicalId}` }
}
