import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import { startAgent } from './agent.ts'
import { ovenAgent } from './demo-agents.ts'
import { startOven } from './plant-oven-server.ts'
import { randomOf } from './plant-random.ts'
import { checkSettings } from './settings.ts'

const Plan = z.object({
  endpoint: z.string(),
  dataDir: z.string(),
  ovens: z.array(z.object({ name: z.string(), activationKey: z.string(), poor: z.boolean() })),
})
type PlannedOven = z.output<typeof Plan>['ovens'][number]

/** Of a poor link: how long it lasts and how long it is away, each up to twice that. */
const poorUpMs = 6 * 60_000
const poorDownMs = 2 * 60_000

const file = process.argv[2]
if (file === undefined) throw new Error('usage: plant-fleet.ts <file with the ovens>')
const plan = Plan.parse(JSON.parse(await readFile(file, 'utf8')))
const stopping = new AbortController()
const playing = plan.ovens.map((oven, index) => playOven(oven, index + 2))
process.on('SIGTERM', () => stopping.abort())
process.on('SIGINT', () => stopping.abort())
await Promise.all(playing)

/** One oven as a Modbus server, and the agent that reads it, until the program ends. */
async function playOven({ name, activationKey, poor }: PlannedOven, seed: number) {
  const { port, close } = await startOven({ port: 0, host: '127.0.0.1', seed, speed: 1 })
  const dataDir = path.join(plan.dataDir, name)
  const connection = {
    activationKey,
    endpoint: plan.endpoint,
    plainHttp: true,
    dataDir,
    logLevel: 'warn',
  } as const
  const settings = checkSettings(ovenAgent(connection, port, 2_000))
  const log = pino({ level: 'warn', base: { oven: name } })
  const random = randomOf(seed)
  do {
    const agent = startAgent(settings, log)
    await waiting(poor ? poorUpMs * 2 * random() : Infinity)
    await agent.stop()
    await waiting(poor ? poorDownMs * 2 * random() : 0)
  } while (!stopping.signal.aborted)
  await close()
}

/** For so many ms, or until the program is told to end. */
function waiting(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (stopping.signal.aborted) return Promise.resolve()
  const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined
  stopping.signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
