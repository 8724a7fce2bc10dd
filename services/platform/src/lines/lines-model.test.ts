import { migrated } from '@longreach/kit/database'
import { createBus } from '@longreach/kit/events'
import { everywhere, openEars } from '@longreach/kit/everywhere'
import { createOwnProcess, createProcesses } from '@longreach/kit/own-process'
import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import Fastify from 'fastify'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceDb } from '../database.ts'
import { saveDevice } from '../devices/device-state-store.ts'
import { newDeviceId } from '../platform-testing.ts'
import { linesContract } from './contract.ts'
import { areLinesLost, endLostLines, loseLinesOfDead } from './lost-lines.ts'
import { createOwnLines } from './own-lines.ts'

// Devices come, go and move between processes that start, stop and die, in any order and without waiting.

const graceMs = 60_000
const processes = 3
const devices = 3
let database: Awaited<ReturnType<typeof testDatabase>>
let db: Kysely<ServiceDb>
let skippedMs = 0

beforeAll(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await createProcesses(database.db)
  db = await migrated(database.db, 'platform', new URL('../migrations/', import.meta.url))
})
afterAll(() => database.close())

const now = () => new Date(Date.now() + skippedMs)
async function pass(ms: number) {
  skippedMs += ms
  await sql`update platform.line set due = due - make_interval(secs => ${ms / 1000})`.execute(db)
}
async function sweep() {
  if (!(await areLinesLost(db))) return
  await loseLinesOfDead(db, { now: now(), graceMs })
  await endLostLines(db)
}

type Connection = { device: string; isOpen: boolean; close: () => void }

/** A process with the connections that it holds, as its MQTT endpoint does. */
async function startProcess() {
  const own = createOwnProcess(database.pool)
  await own.hold()
  await sweep()
  const log = Fastify({ logger: { level: 'silent' } }).log
  const lines = createOwnLines({ db, node: own.number, now, log, graceMs })
  const open = new Map<string, Connection>()
  return {
    ...lines,
    number: own.number,
    open,
    /** `ended` is called when the process ends the connection, as its client sees it. */
    connect(device: string, ended: (connection: Connection) => void) {
      // The endpoint ends the older connection of a client id first.
      open.get(device)?.close()
      const connection: Connection = { device, isOpen: true, close: () => undefined }
      const key = { deviceId: device, clientId: 'main' }
      const end = () => {
        if (!connection.isOpen) return
        connection.close()
        ended(connection)
      }
      const gone = lines.came(key, { ip: '10.0.0.1', end })
      connection.close = () => {
        if (!connection.isOpen) return
        connection.isOpen = false
        if (open.get(device) === connection) open.delete(device)
        gone()
      }
      open.set(device, connection)
      return connection
    },
    /** It ends: in order, with or without other processes that its clients are sent to, or without a word. */
    async end(how: 'stops' | 'sendsOn' | 'dies') {
      if (how !== 'dies') lines.stop({ clientsGoOn: how === 'sendsOn' })
      for (const connection of open.values()) {
        if (how === 'sendsOn') connection.close()
        else connection.isOpen = false
      }
      // One that dies writes nothing more: its writes of the last moment are over here, or never begun.
      if (how === 'dies') await lines.written()
      else await lines.close()
      await own.close()
    },
  }
}
type Process = Awaited<ReturnType<typeof startProcess>>

type Step =
  | { kind: 'connect'; device: number; process: number }
  | { kind: 'leave'; device: number }
  | { kind: 'stops' | 'sendsOn' | 'dies' | 'compare'; process: number }
  | { kind: 'sweep' | 'told' | 'pass' }

const [device, process] = [fc.nat(devices - 1), fc.nat(processes - 1)]
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })
const step = fc.oneof(
  weighted(6, fc.record({ kind: fc.constant('connect'), device, process })),
  weighted(3, fc.record({ kind: fc.constant('leave'), device })),
  weighted(1, fc.record({ kind: fc.constantFrom('stops', 'sendsOn', 'dies'), process })),
  weighted(2, fc.record({ kind: fc.constant('compare'), process })),
  weighted(2, fc.record({ kind: fc.constantFrom('sweep', 'told', 'pass') })),
)

/** Devices and processes of one run. */
async function startWorld() {
  const ids = Array.from({ length: devices }, newDeviceId)
  for (const id of ids)
    await saveDevice(db, { id, org: 'exor', realm: 'exor', label: id, groups: [] }, now())
  const running: Process[] = []
  for (let index = 0; index < processes; index += 1) running.push(await startProcess())
  const connected = new Map<string, Connection>()
  /** Number of the process that a device connected to last. */
  const at = new Map<string, number>()
  const tell = everywhere(linesContract.events.lineTaken, (line) => {
    for (const { taken } of running) taken(line)
  })
  const { hear: tellTaken } = await openEars({
    db,
    effects: [tell],
    failed: (error) => expect.unreachable(String(error)),
  })
  const take = async (one: Step) => {
    if (one.kind === 'sweep') return sweep()
    if (one.kind === 'told') return tellTaken()
    if (one.kind === 'pass') return pass(graceMs / 2)
    if (one.kind === 'leave') return connected.get(ids[one.device] ?? '')?.close()
    if ('process' in one) return takeAt(one, running[one.process])
    return undefined
  }
  const connect = (id: string, process: Process) => {
    // A device that is hung up on connects again. Of an older connection it knows nothing any more.
    const ended = (one: Connection) => {
      if (connected.get(id) === one) connect(id, process)
    }
    connected.set(id, process.connect(id, ended))
    at.set(id, process.number)
  }
  const takeAt = async (one: Extract<Step, { process: number }>, process: Process | undefined) => {
    if (!process) return
    if (one.kind === 'compare') return process.compare()
    if (one.kind === 'connect') {
      connect(ids[one.device] ?? '', process)
      return
    }
    await process.end(one.kind)
    running[one.process] = await startProcess()
  }
  /** All that is under way ends, and everybody waits long enough. */
  const settle = async () => {
    // Connections of which their devices know nothing end by the keep-alive.
    for (const { open } of running)
      for (const [id, connection] of open) if (connected.get(id) !== connection) connection.close()
    // Twice, as devices that are hung up on connect again.
    for (let round = 0; round < 2; round += 1) {
      for (const { written } of running) await written()
      await tellTaken()
      for (const { compare } of running) await compare()
      for (const { written } of running) await written()
    }
    const isMarked = async () => {
      await loseLinesOfDead(db, { now: now(), graceMs })
      const { rows } = await sql<{ node: number }>`
        select node from platform.line where due is null`.execute(db)
      return rows.every(({ node }) => running.some(({ number }) => number === node))
    }
    // PostgreSQL notices a moment later that a process is gone.
    await expect.poll(isMarked, { timeout: 60_000 }).toBe(true)
    await pass(10 * graceMs)
    await sweep()
  }
  const check = async () => {
    for (const id of ids) {
      const { rows } = await sql<{ connected: boolean; nodes: number[] }>`
        select s.connected, array(select l.node from platform.line l where l.device_id = s.device_id)
          as nodes from platform.device_state s where s.device_id = ${id}`.execute(db)
      const isOpen = connected.get(id)?.isOpen ?? false
      const held = running.filter(({ open }) => open.has(id)).map(({ number }) => number)
      const expected = isOpen ? [at.get(id)] : []
      expect({ ...rows[0], held }).toEqual({ connected: isOpen, nodes: expected, held: expected })
    }
  }
  const end = async () => {
    for (const process of running) await process.end('stops')
    await sql`delete from platform.line`.execute(db)
  }
  return { take, settle, check, end }
}

test('after any order of connections, stops and kills each device is where it connected last, and shown so', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const world = await startWorld()
      try {
        for (const one of steps) await world.take(one)
        await world.settle()
        await world.check()
      } finally {
        await world.end()
      }
    }),
    { numRuns: 20 },
  )
})
