import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { signInByHttp } from '../e2e/src/calls.ts'
import { owner, startServerGroup } from '../e2e/src/server-group.ts'
import { argument, hasSwitch, type Line, print, say } from './report.ts'
import { startBalancer } from './storms/balancer.ts'
import { writeDevices } from './storms/device-file.ts'
import { makeFleet } from './storms/fleet.ts'
import { createProgress, cut, kill, rollingRestart, storm } from './storms/phases.ts'
import { createShown } from './storms/shown.ts'
import { openStatements, tellStatements } from './storms/statements.ts'
import { startWatch } from './storms/watch.ts'

// npm run bench -- storms [--devices=100000] [--servers=4] [--nats=3] [--stay=300] [--phases=4] [--limit=1800] [--logs] [--statements]
// Many devices at several whole servers, without sockets and TLS: each server's process holds devices of its own
// whose connections are streams in memory. All connect at once, servers are restarted one after another, one is
// killed, and the network is cut; what is shown of every device is compared with what it does.
const count = argument('devices', 100_000)
const serverCount = argument('servers', 4)
const natsCount = argument('nats', 3)
const stay = argument('stay', 300)
const phases = argument('phases', 4)
const limitS = argument('limit', 1_800)
const masterKey = '7'.repeat(64)

// Ended by a signal, it ends what it has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-storms-'))
const file = path.join(folder, 'devices')
const socket = path.join(folder, 'driver.sock')
const group = await startServerGroup(0, {
  natsCount,
  entry: 'bench/storms/server.ts',
  settings: { shared_preload_libraries: 'pg_stat_statements' },
})
const pool = new pg.Pool({ ...group.connection, max: 3 })
const balancer = await startBalancer({ devices: count, servers: serverCount, socket })
try {
  await run()
} finally {
  balancer.close()
  await pool.end()
  await group.stop()
  await rm(folder, { recursive: true, force: true })
}

async function run() {
  for (let at = 0; at < serverCount; at += 1) {
    const own = { STORM_FILE: file, STORM_SOCKET: socket, STORM_SERVER: String(at) }
    await group.add({ MASTER_KEY: masterKey, ...own })
    balancer.admit(at, true)
  }
  const { servers } = group
  const [first] = servers
  if (!first) throw new Error('no server')
  const began = performance.now()
  const call = await signInByHttp(first.own, owner)
  const fleet = await makeFleet({ pool, call, count, masterKey })
  await writeFile(file, writeDevices(fleet))
  const madeS = (performance.now() - began) / 1_000
  say(`${count} devices were written by SQL in ${madeS.toFixed(1)} s`)
  const shown = createShown({ pool, balancer, ids: fleet.map(({ id }) => id) })
  const watch = startWatch(balancer, shown)
  try {
    const statements = await openStatements(pool)
    await measure(createProgress({ balancer, shown, statements, watch, servers, count, limitS }))
  } finally {
    await watch.close()
    const again = await signInByHttp(first.own, owner)
    const pids = servers.map(({ pid }) => pid())
    const faults = await shown.faults(again, pids)
    for (const fault of faults) say(fault)
    const goal = '0'
    print('In the end', [
      lineOf('wrong of devices, by database, API and values', faults.length, '', goal),
    ])
    if (hasSwitch('logs')) for (const { printedEver } of servers) say(printedEver())
  }
}

async function measure(progress: ReturnType<typeof createProgress>) {
  const first = await storm(progress)
  print(`Storm: ${count} devices connect to ${serverCount} servers`, [
    lineOf('all connected', first.connectedS, 's'),
    lineOf('all shown as connected', first.shownS, 's'),
    lineOf('all said what they are and had a value stored', first.servedS, 's'),
    lineOf('connects', count / first.connectedS, '/s'),
    lineOf('processor time of the servers, a device', first.cpuMs, 'ms'),
    lineOf('memory a connection, JavaScript', first.kB.heap, 'kB', '≤ 80 kB'),
    lineOf('memory a connection, of the process', first.kB.resident, 'kB'),
    ...common(first),
  ])
  if (phases < 2) return
  const rolling = await rollingRestart(progress)
  print('Rolling restart', [lineOf('in all', rolling.totalS, 's'), ...common(rolling)])
  if (phases < 3) return
  const killed = await kill(progress, stay)
  print(`kill -9 of a server with ${killed.had} devices, of which ${killed.staying} stay away`, [
    lineOf('all others connected again', killed.backS, 's', '≤ 15 s'),
    lineOf('all shown rightly, those that stay away too', killed.rightS, 's', '≤ 20 s'),
    ...common(killed),
  ])
  if (phases < 4) return
  const back = await cut(progress)
  print('Cut: all connections end at once, servers get the ends of one half', [
    lineOf('all connected again', back.backS, 's'),
    lineOf('all shown as connected', back.shownS, 's'),
    lineOf('all said what they are and had a value stored', back.servedS, 's'),
    ...common(back),
  ])
}

type Fared = Pick<Awaited<ReturnType<typeof cut>>, 'away' | 'shownAway' | 'wrong' | 'late' | 'done'>

function common({ away, shownAway, wrong, late, done }: Fared) {
  for (const { device, awayMs } of wrong)
    say(
      `device ${device}, now at server ${balancer.known[device]?.server}: disconnected in its history, though away for ${awayMs} ms only`,
    )
  tellDevices('shown wrongly for more than 20 s', late)
  if (hasSwitch('statements')) tellStatements(done, count)
  return [
    lineOf('away, the middle', away.middle, 's'),
    lineOf('away, 99th percentile', away.high, 's'),
    lineOf('away, longest', away.longest, 's'),
    lineOf('statements a device', done.statements / count, ''),
    lineOf('time of the database a device, waiting included', done.ms / count, 'ms'),
    lineOf('shown as disconnected meanwhile', shownAway, ''),
    lineOf('of these wrongly', wrong.length, '', '0'),
    lineOf('shown wrongly for more than 20 s', late.length, '', '0'),
  ]
}

/** Devices by the server that they are at now. */
function tellDevices(what: string, devices: readonly number[]) {
  const byServer = Map.groupBy(devices, (device) => balancer.known[device]?.server ?? -1)
  for (const [server, some] of byServer)
    say(`${what}, now at server ${server}: devices ${some.join(' ')}`)
}

// oxlint-disable-next-line max-params -- a line of a table
function lineOf(what: string, ours: number, unit: string, goal = ''): Line {
  return { what, unit, ours, peers: {}, better: 'less', goal }
}
