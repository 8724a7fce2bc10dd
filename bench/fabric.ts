import { createFabric, type Fabric } from '@longreach/kit/fabric'
import { Bytes, defineSubject } from '@longreach/kit/fabric-contract'
import { startNats } from '@longreach/kit/nats-testing'
import { openNatsWire } from '@longreach/kit/nats-wire'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { z } from 'zod'
import { argument, print, say } from './report.ts'

// npm run bench -- fabric [--calls=2000] [--frames=60000] [--rounds=6]
// Calls and frames between two fabrics, each at another of two NATS servers in one cluster. The peer is
// the client library alone, which does the same with the same bytes, without schemas and call ids. Both
// ends are in this process, so that a figure has the work of both; the servers run beside it.
const calls = argument('calls', 2_000)
const frames = argument('frames', 60_000)
const rounds = argument('rounds', 6)

const write = defineSubject({
  subject: 'bench.write',
  request: z.object({ device: z.string(), tag: z.string(), value: z.number() }),
  reply: z.object({ confirmed: z.boolean() }),
})
const live = defineSubject({ subject: 'bench.live', message: Bytes, live: true })
const request = { device: '2WNJOs7r_bIV8JVZNp1ESw', tag: 'press/speed', value: 42 }
const frame = new Uint8Array(200).fill(7)

/** Times in ms, the shortest first, of calls that follow each other. */
async function callTimes(call: () => Promise<unknown>) {
  const taken: number[] = []
  for (let index = 0; index < calls; index += 1) {
    const start = performance.now()
    await call()
    taken.push(performance.now() - start)
  }
  return taken.toSorted((a, b) => a - b)
}

const at = (times: readonly number[], part: number) => times[Math.floor(times.length * part)] ?? 0

const atOnce = 32
/** Calls a second, when many are under way. */
async function callRate(call: () => Promise<unknown>) {
  const start = performance.now()
  const lane = async () => {
    for (let index = 0; index < calls / atOnce; index += 1) await call()
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return (calls / (performance.now() - start)) * 1_000
}

/** Frames a second, from the first told to the last heard. */
async function frameRate(tell: () => void, heard: () => number) {
  const wanted = heard() + frames
  const start = performance.now()
  for (let told = 0; told < frames; told += 1) {
    tell()
    if (told % 500 === 0) await new Promise((done) => setImmediate(done))
  }
  while (heard() < wanted) {
    if (performance.now() - start > 20_000)
      throw new Error(`${wanted - heard()} frames are missing`)
    await new Promise((done) => setImmediate(done))
  }
  return (frames / (performance.now() - start)) * 1_000
}

type Side = { call: () => Promise<unknown>; tell: () => void; heard: () => number }

function fabricSide(one: Fabric, two: Fabric): Side {
  let heard = 0
  two.answer(write, () => ({ confirmed: true }))
  two.hear(live, () => void (heard += 1))
  return {
    call: () => one.call(write, request, { deadlineMs: 5_000 }),
    tell: () => one.tell(live, frame),
    heard: () => heard,
  }
}

function bareSide(one: NatsConnection, two: NatsConnection): Side {
  let heard = 0
  const [asked, replied] = [JSON.stringify(request), JSON.stringify({ confirmed: true })]
  two.subscribe('bare.write', { callback: (_, message) => void message.respond(replied) })
  two.subscribe('bare.live', { callback: () => void (heard += 1) })
  return {
    call: () => one.request('bare.write', asked, { timeout: 5_000 }),
    tell: () => one.publish('bare.live', frame),
    heard: () => heard,
  }
}

/** CPU time of this process in µs for each of `count`, which says something on a busy machine too. */
async function spentOn(count: number, work: () => Promise<number>) {
  const before = process.cpuUsage()
  const perSecond = await work()
  const { user, system } = process.cpuUsage(before)
  return { perSecond, cpu: (user + system) / count }
}

async function measure({ call, tell, heard }: Side) {
  const times = await callTimes(call)
  const many = await spentOn(calls, () => callRate(call))
  const told = await spentOn(frames, () => frameRate(tell, heard))
  return {
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    calls: many.perSecond,
    callCpu: many.cpu,
    frames: told.perSecond,
    frameCpu: told.cpu,
  }
}
type Figures = Awaited<ReturnType<typeof measure>>

/** The best of each figure's rounds: the cost of the work itself on a machine with other load. */
function bestOf(all: readonly Figures[]): Figures {
  const least = (name: keyof Figures) => Math.min(...all.map((one) => one[name]))
  const most = (name: keyof Figures) => Math.max(...all.map((one) => one[name]))
  return {
    p50: least('p50'),
    p99: least('p99'),
    calls: most('calls'),
    callCpu: least('callCpu'),
    frames: most('frames'),
    frameCpu: least('frameCpu'),
  }
}

const nats = await startNats({ count: 2 })
const tellPeople = (about: unknown, text?: unknown) =>
  say(`${String(text)} ${JSON.stringify(about)}`)
const log = { info: () => undefined, warn: tellPeople, error: tellPeople }
const fabrics: Fabric[] = []
const bare: NatsConnection[] = []
for (const { server } of nats.servers) {
  const settings = { servers: [server] }
  const wire = await openNatsWire({ settings, instance: 'bench', log })
  fabrics.push(createFabric({ instance: 'bench', log, wire }))
  bare.push(await connect({ port: server.port, noAsyncTraces: true }))
}
const alone = createFabric({ instance: 'bench', log })

try {
  const [one, two] = fabrics
  const [bareOne, bareTwo] = bare
  if (!one || !two || !bareOne || !bareTwo) throw new Error('two servers were asked for')
  const sides = {
    ours: fabricSide(one, two),
    bare: bareSide(bareOne, bareTwo),
    alone: fabricSide(alone, alone),
  }
  // The second server has to know the subscriptions of the first.
  for (const { call, tell, heard } of Object.values(sides)) {
    while (!(await call().catch(() => undefined))) await new Promise((done) => setImmediate(done))
    for (tell(); heard() === 0; tell()) await new Promise((done) => setTimeout(done, 10))
  }
  const figures: Record<keyof typeof sides, Figures[]> = { ours: [], bare: [], alone: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['ours', 'bare', 'alone'] as const) {
      figures[name].push(await measure(sides[name]))
    }
  }
  const [ours, raw] = [bestOf(figures.ours), bestOf(figures.bare)]
  const own = bestOf(figures.alone)
  const limits: Partial<Figures> = { p50: 0.5, frames: 200_000 }
  const line = (what: string, name: keyof Figures, unit: 'ms' | '/s' | 'µs') => ({
    what,
    unit,
    ours: ours[name],
    peers: { 'client alone': raw[name], limit: limits[name] },
    better: unit === '/s' ? ('more' as const) : ('less' as const),
  })
  print(`Calls and frames of ${frame.length} bytes over two NATS servers`, [
    line('call, p50', 'p50', 'ms'),
    line('call, p99', 'p99', 'ms'),
    line(`calls, ${atOnce} at once`, 'calls', '/s'),
    line('CPU a call, both ends', 'callCpu', 'µs'),
    line('frames told and heard', 'frames', '/s'),
    line('CPU a frame, both ends', 'frameCpu', 'µs'),
    { what: 'call within one process', unit: 'ms', ours: own.p50, peers: {}, better: 'less' },
    { what: 'frames within one process', unit: '/s', ours: own.frames, peers: {}, better: 'more' },
  ])
  const dropped = [one, two].map((fabric) => JSON.stringify(fabric.figures()))
  say(`\n${dropped.join('\n')}`)
} finally {
  await Promise.all(fabrics.map((fabric) => fabric.close()))
  await Promise.all(bare.map((connection) => connection.close()))
  await nats.stop()
}
