import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { type Agent, startAgent } from './agent.ts'
import { hostAgent, ovenAgent, pumpsAgent } from './demo-agents.ts'
import { startReceiver } from './demo-receiver.ts'
import { DemoPlan, newOven, newStation, type PlannedMachine } from './demo-plant-plan.ts'
import { saveMachineStates, readMachineStates, resume } from './demo-plant-state.ts'
import { opcuaClient, opcuaServer } from './opcua-library.ts'
import { advance, type Machine } from './plant-machine.ts'
import { startOven } from './plant-oven-server.ts'
import { isLinked } from './plant-plan.ts'
import { startPumps } from './plant-pumps-server.ts'
import { checkSettings } from './settings.ts'

// Simulation of the demo's machines in one process: every machine as a server of its protocol, each
// with a real agent that has its own folder, key and certificate. `{"ready":true,"ports":{…}}`
// reports that the first are ready.

const endMs = 10_000
const plan = await sentPlan()
const stopping = new AbortController()
const stop = () => {
  stopping.abort()
  // A server that waits for a disconnected client does not delay the end.
  setTimeout(() => process.exit(0), endMs).unref()
}
for (const end of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(end, stop)

const host = '127.0.0.1'
const keepEveryMs = 10_000
const lookEveryMs = 1_000
const stateFile = path.join(plan.dataDir, 'plant-state.json')
const kept = readMachineStates(stateFile)

type Running = { port: number; close: () => Promise<void>; machine: Machine<object> }
const running = new Map<string, Running>()
const playing: Promise<void>[] = []

const keeping = setInterval(keep, keepEveryMs)
const [first, others] = [plan.machines.slice(0, 3), plan.machines.slice(3)]
const told = (line: string) => void process.stderr.write(`${line}\n`)
const receiving = startReceiver(path.join(plan.dataDir, 'receiver.json'), told)
await Promise.all(first.map(begin))
const receiver = await receiving
// Stored before the ports are reported, so that the machines keep their ports after a crash.
keep()
const ports = Object.fromEntries([
  ...[...running].map(([name, { port }]) => [name, port] as const),
  ...(receiver ? [['receiver', receiver.port] as const] : []),
])
process.stdout.write(`${JSON.stringify({ ready: true, ports })}\n`)
for (const machine of others) {
  await begin(machine)
  await pause(0)
}
await Promise.all(playing)
clearInterval(keeping)
keep()
await Promise.all([...running.values()].map((one) => one.close()))
await receiver?.close()
process.exit(0)

/**
 * Plan from the parent process, which is sent once the devices exist. Libraries are loaded
 * meanwhile.
 */
async function sentPlan() {
  await Promise.all([opcuaClient(() => undefined), opcuaServer()])
  const end = () => process.exit(0)
  process.on('disconnect', end)
  const [sent] = (await once(process, 'message')) as [unknown]
  process.off('disconnect', end)
  return DemoPlan.parse(sent)
}

/** Starts the machine, after simulating the time since its last stored state, then its agent. */
async function begin(planned: PlannedMachine) {
  if (stopping.signal.aborted) return
  const server = await serverOf(planned)
  if (server) running.set(planned.name, server)
  playing.push(play(planned, server?.port ?? 0))
}

async function serverOf({ name, kind, plan: own }: PlannedMachine): Promise<Running | undefined> {
  const common = { host, seed: own.seed, speed: 1, port: await usable(kept[name]?.port ?? 0) }
  if (kind === 'oven') {
    const machine = resume(newOven(own, plan.began), kept[name])
    advance(machine, Date.now())
    return { ...(await startOven({ ...common, machine })), machine }
  }
  if (kind === 'gateway') return undefined
  const machine = resume(newStation(own, plan.began), kept[name])
  advance(machine, Date.now())
  const folder = path.join(plan.dataDir, `${name}-machine`)
  return { ...(await startPumps({ ...common, 'data-dir': folder, machine })), machine }
}

/**
 * Port of the last run, which an agent's own list of sources may contain; another one when it is
 * taken.
 */
async function usable(port: number) {
  const probe = net.createServer()
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.listen(port, host)
  if (!(await listening)) return 0
  await new Promise((closed) => probe.close(closed))
  return port
}

/** Runs the machine's agent while its connection is up, and again when that is back. */
async function play(planned: PlannedMachine, port: number) {
  const log = pino({ level: 'warn', base: { machine: planned.name } })
  const settings = agentSettingsOf(planned, port)
  let agent: Agent | undefined
  while (!stopping.signal.aborted) {
    const linked = isLinked(planned.plan, Date.now())
    if (linked) agent ??= startAgent(settings, log)
    else if (agent) {
      await agent.stop()
      agent = undefined
    }
    await pause(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined) // ends with the process
  }
  await agent?.stop()
}

function agentSettingsOf({ kind, activationKey, dataDir, pollMs }: PlannedMachine, port: number) {
  const connection = {
    activationKey,
    endpoint: plan.endpoint,
    plainHttp: true, // the server is on the same machine
    dataDir,
    logLevel: 'warn',
  } as const
  if (kind === 'oven') return checkSettings(ovenAgent(connection, port, pollMs))
  return checkSettings(kind === 'pumps' ? pumpsAgent(connection, port) : hostAgent(connection))
}

function keep() {
  const now = [...running].map(
    ([
      name,
      {
        port,
        machine: { at, state },
      },
    ]) => [name, { at, port, state: { ...state } }],
  )
  // States of machines that have not started yet are kept.
  saveMachineStates(stateFile, { ...kept, ...Object.fromEntries(now) })
}
