import { setTimeout as wait } from 'node:timers/promises'
import { signInByHttp } from '../e2e/src/calls.ts'
import { freePort, owner, startServerGroup } from '../e2e/src/server-group.ts'
import { between, openCounters, type Rates } from './counts/counted.ts'
import { createWorks } from './counts/works.ts'
import { makePlant } from './growth/plant.ts'
import { argument, figure, hasSwitch, type Line, print, say } from './report.ts'

// npm run bench -- counts [--most=6] [--devices=10] [--times=40] [--idle=10] [--idle-only] [--statements]
// What whole servers on one database do for a value, a connect, a write from another server and a chart:
// counts and not times, at 1, 2, 3 and 6 servers with the same work for each; what idle servers do is measured
// first and taken off; with --idle-only nothing else is measured.
const most = argument('most', 6)
const devices = argument('devices', 10)
const times = argument('times', 40)
const idleS = argument('idle', 10)
const isIdleOnly = hasSwitch('idle-only')
const sizes = [1, 2, 3, 6].filter((size) => size <= most)

const natsMonitor = await freePort()
const group = await startServerGroup(1, {
  settings: { shared_preload_libraries: 'pg_stat_statements' },
  natsConfig: `http: "127.0.0.1:${natsMonitor}"`,
})
const [first] = group.servers
if (!first) throw new Error('no server')
const counters = await openCounters({
  connection: group.connection,
  natsMonitor,
  pids: () => group.servers.map(({ pid }) => pid()),
})
type Work = 'idle' | 'value' | 'connect' | 'disconnect' | 'write' | 'chart'
const found = new Map<Work, Map<number, Rates>>()
try {
  const call = await signInByHttp(first.own, owner)
  say(`pairing ${devices * most} devices`)
  const plant = await makePlant(call, first, devices * most, most)
  const works = createWorks({ plant, counters, each: devices })
  for (const size of sizes) await measureAll(works, size)
  tell()
} finally {
  await counters.close()
  await group.stop()
}

async function measureAll(works: ReturnType<typeof createWorks>, size: number) {
  while (group.servers.length < size) await group.add()
  const { servers } = group
  await works.signIn(servers)
  if (!isIdleOnly) {
    // What is done for the first time costs more.
    await doAll(works, async (_, work) => void (await work()))
    await works.signIn(servers)
  }
  await works.settle()
  const before = await counters.read()
  await wait(idleS * 1_000)
  const idle = between(before, await counters.read(), 1)
  const perSecond = scaled(idle, 1 / idleS)
  note('idle', size, scaled(perSecond, 1 / size))
  if (isIdleOnly) return
  await doAll(works, async (kind, work) => {
    await works.settle()
    const from = await counters.read()
    const units = await work()
    await works.settle()
    note(kind, size, between(from, await counters.read(), units, perSecond))
  })
}

type Measured = (kind: Exclude<Work, 'idle'>, work: () => Promise<number>) => Promise<void>

/** All kinds of work, one after the other; what each of them needs is made ready before it and cleared away after it. */
async function doAll(works: ReturnType<typeof createWorks>, measured: Measured) {
  const { servers } = group
  await measured('connect', () => works.connect(servers))
  await measured('disconnect', () => works.disconnect())
  await works.sendHalfHour(servers)
  await measured('chart', () => works.charts(servers, times))
  const values = await works.values(servers)
  await measured('value', values.send)
  await values.close()
  const writes = await works.prepareWrites(servers)
  await measured('write', () => writes.write(times))
  await writes.close()
}

function scaled(rates: Rates, by: number): Rates {
  return {
    statements: rates.statements * by,
    messages: rates.messages * by,
    bytes: rates.bytes * by,
    cpuMs: rates.cpuMs * by,
    byStatement: new Map([...rates.byStatement].map(([query, calls]) => [query, calls * by])),
  }
}

function note(work: Work, size: number, rates: Rates) {
  found.set(work, (found.get(work) ?? new Map<number, Rates>()).set(size, rates))
  const { statements, messages, bytes, cpuMs } = rates
  const all = [
    `${figure(statements)} statements`,
    `${figure(messages)} messages`,
    `${figure(bytes)} bytes`,
    `${figure(cpuMs)} ms`,
  ]
  say(`${size}: ${work}: ${all.join(', ')}`)
}

function tell() {
  for (const [work, bySize] of found) {
    const unit = work === 'idle' ? 'a second and server' : `a ${work}`
    const line = (what: keyof Omit<Rates, 'byStatement'>, name: string): Line => ({
      what: `${name} ${unit}`,
      unit: what === 'cpuMs' ? 'ms' : '',
      ours: bySize.get(sizes.at(-1) ?? 1)?.[what] ?? 0,
      peers: Object.fromEntries(
        sizes
          .slice(0, -1)
          .map((size) => [`${size} server${size > 1 ? 's' : ''}`, bySize.get(size)?.[what]]),
      ),
      better: 'less',
      goal: goalOf(work, what),
    })
    print(`${work}: ours is ${sizes.at(-1)} servers`, [
      line('statements', 'statements'),
      line('messages', 'messages'),
      line('bytes', 'bytes'),
      line('cpuMs', 'processor time'),
    ])
    if (hasSwitch('statements')) tellStatements(work, bySize)
  }
}

function goalOf(work: Work, what: keyof Rates) {
  if (work === 'idle') return what === 'cpuMs' ? '≤ 10 ms' : ''
  const isOverNats = what === 'messages' || what === 'bytes'
  if (work === 'value' && isOverNats) return '0'
  if (work === 'write' && isOverNats) return 'flat from 2 servers'
  return 'flat: ≥ 0.91×'
}

/** Statements by what one unit of work takes of each, the most at the largest group first. */
function tellStatements(work: Work, bySize: Map<number, Rates>) {
  const last = bySize.get(sizes.at(-1) ?? 1)?.byStatement ?? new Map<string, number>()
  const top = [...last].toSorted(([, one], [, other]) => other - one).slice(0, 25)
  for (const [query, calls] of top) {
    if (calls < 0.01) continue
    const counts = sizes
      .slice(0, -1)
      .map((size) => figure(bySize.get(size)?.byStatement.get(query) ?? 0))
    say(
      `  ${[...counts, figure(calls)].join(' ')}  ${work}: ${query.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
    )
  }
}
