import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice, type Calls, makePreset, signInByHttp } from './calls.ts'
import { pair } from './device.ts'
import { MovingLine } from './moving-line.ts'
import {
  arriving,
  type Found,
  plant,
  type PlannedDevice,
  type PlannedKill,
  type PlannedPlant,
  replayed,
  ruleOf,
  type Sent,
} from './random-plants.ts'
import { owner, type ServerGroup, startServerGroup } from './server-group.ts'

// Random rules over random values, while the servers that judge them are killed (SIGKILL) at random points and devices
// move between them. ALARM_KILL_RUNS runs more than `npm test` does; FUZZ_SEED takes other values, kills and moves.

const runs = Number(process.env['ALARM_KILL_RUNS'] ?? 2)
const { organization } = owner
const query = `organization=${organization}`
const alarms = 'platform/api/v1/alarms'
const patient = { timeout: 60_000, interval: 200 }

let group: ServerGroup
let call: Calls
let presetId: string
beforeAll(async () => {
  group = await startServerGroup(2)
  call = await signInByHttp(at(0).own, owner)
  presetId = await makePreset(call, organization, 'Press')
})
afterAll(() => group?.stop())

function at(index: number) {
  const server = group.servers[index]
  if (!server) throw new Error(`no server ${index}`)
  return server
}

type Shown = {
  severity: number
  longreach: {
    since: number
    returnedAt: number | null
    raises: number
    maxSeverity: number
    withdrawn: boolean
  }
}

/** Alarms of a device that are not withdrawn, by their start. */
async function shownOf(deviceId: string): Promise<Found[]> {
  const { data } = await call<{ data: Shown[] }>('POST', `${alarms}/search?${query}`, {
    data: `deviceId == "${deviceId}"`,
    pageSize: 1_000,
    orderBy: 'eventTimestamp',
    orderDir: 'asc',
  })
  return data
    .filter(({ longreach }) => !longreach.withdrawn)
    .map(({ severity, longreach: { since, returnedAt, maxSeverity, raises } }) => ({
      start: since,
      end: returnedAt,
      severity,
      maxSeverity,
      raises,
    }))
}

type Machine = {
  deviceId: string
  rule: Record<string, unknown>
  values: Sent[]
  line: MovingLine
}

async function makeMachine(planned: PlannedDevice, index: number): Promise<Machine> {
  const label = `Press ${crypto.randomUUID()}`
  const { deviceId, activationKey } = await addDevice(call, organization, { label, presetId })
  const rule = ruleOf(planned, deviceId)
  await call('POST', `${alarms}/rules?${query}`, { rule })
  const line = new MovingLine(
    group.servers,
    await pair(at(0).own, activationKey),
    planned,
    index % 2,
  )
  await line.connect(index % 2)
  return { deviceId, rule, values: arriving(planned, Date.now() - 600_000), line }
}

/** Sends a part of all values, and kills servers in the middle of it; they are there again when it ends. */
async function sendPhase(machines: readonly Machine[], parts: Sent[][], kill?: PlannedKill) {
  const acknowledged = () => machines.reduce((sum, { line }) => sum + line.acknowledged, 0)
  const before = acknowledged()
  const wanted = parts.reduce((sum, part) => sum + part.length, 0)
  const killing = async ({ victim, after, delayMs }: PlannedKill) => {
    const victims = { first: [at(0)], second: [at(1)], both: [at(0), at(1)] }[victim]
    while (acknowledged() - before < Math.floor((wanted * after) / 100)) await pause(1)
    await pause(delayMs)
    await Promise.all(victims.map((server) => server.kill()))
    for (const server of victims) await server.restart()
  }
  await Promise.all([
    ...machines.map(({ line }, index) => line.send(parts[index] ?? [])),
    kill && killing(kill),
  ])
}

const checked: Machine[] = []

/** Compares what is shown of devices with a replay of all their values. */
async function checkAll(machines: readonly Machine[]) {
  for (const { deviceId, rule, values } of machines)
    await expect.poll(() => shownOf(deviceId), patient).toEqual(replayed(rule, values))
}

async function run({ devices, kills }: PlannedPlant) {
  call = await signInByHttp(at(0).own, owner)
  const machines = await Promise.all(devices.map(makeMachine))
  const phases = [...kills, undefined]
  for (const [phase, kill] of phases.entries()) {
    const part = ({ values }: Machine) => {
      const place = (n: number) => Math.round((values.length * n) / phases.length)
      return values.slice(place(phase), place(phase + 1))
    }
    await sendPhase(machines, machines.map(part), kill)
  }
  await checkAll(machines)
  for (const { line } of machines) await line.close()
  checked.push(...machines)
}

test('alarms of any values, in any order, with servers killed at any point and devices that move between them, are those of a replay', async () => {
  await fc.assert(fc.asyncProperty(plant, run), { numRuns: runs, endOnFailure: true })
  // Nothing that came later has changed them.
  await checkAll(checked)
  expect(checked.some(({ rule, values }) => replayed(rule, values).length > 0)).toBe(true)
})
