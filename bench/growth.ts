import { setTimeout as wait } from 'node:timers/promises'
import { signInByHttp } from '../e2e/src/calls.ts'
import { type GroupServer, owner, startServerGroup } from '../e2e/src/server-group.ts'
import { createMeasures, type Kind, kinds } from './growth/measures.ts'
import { makePlant } from './growth/plant.ts'
import { idleMs, takenMs } from './growth/processor.ts'
import { type Quota, quotas } from './growth/quota.ts'
import { argument, figure, print, say } from './report.ts'

// npm run bench -- growth [--share=20] [--seconds=5] [--nats=3] [--devices=10] [--lanes=8] [--most=3] [--rounds=3]
// 1, 2 and 3 whole servers on one database, each under a quota of the same part of a core; database, NATS
// and load have none. The same work for each server, in rounds, of which the median counts; the measure of
// one stands before and after the others.
const share = argument('share', 20) / 100
const seconds = argument('seconds', 5)
const natsCount = argument('nats', 3)
const devices = argument('devices', 10)
const lanes = argument('lanes', 8)
const most = argument('most', 3)
const rounds = argument('rounds', 3)
const limit = 0.9

/** Work of all servers in a second, the share of the quota that they used for it, and cores that had nothing to do. */
type Figure = { perSecond: number; used: number; left: number; servers: number }
type Figures = Record<Kind, Figure>

const quota = quotas()
say(`quota: ${share * 100} % of a core for each server by ${quota.name}`)
const group = await startServerGroup(1, { natsCount })
const [first] = group.servers
if (!first) throw new Error('no server')
const limits = new Map<GroupServer, Quota>()
try {
  const call = await signInByHttp(first.own, owner)
  say(`pairing ${devices * most} devices`)
  const plant = await makePlant(call, first, devices * most, most)
  const measures = createMeasures({ plant, seconds, devices, lanes })
  try {
    await join(first)
    const before = await measureAll(1)
    const more: Figures[] = []
    for (let count = 2; count <= most; count += 1) {
      await join(await group.add())
      more.push(await measureAll(count))
    }
    for (const server of group.servers.slice(1).toReversed()) await leave(server)
    const after = await measureAll(1)
    tell(before, after, more)
  } finally {
    measures.close()
  }

  /** Lets a server do all kinds of work without a limit, so that its code is compiled as the others' is. */
  async function join(server: GroupServer) {
    limits.set(server, quota.of(server.pid()))
    await measures.signIn([server])
    for (const kind of kinds) await measures.of(kind, [server])
  }

  async function measureAll(count: number): Promise<Figures> {
    const all: Figures[] = []
    for (let round = 0; round < rounds; round += 1) all.push(await measureRound(count))
    const medians = kinds.map((kind) => {
      const figures = all.map((one) => one[kind])
      figures.sort((a, b) => a.perSecond - b.perSecond)
      return [kind, figures[figures.length >> 1]] as const
    })
    return Object.fromEntries(medians) as Figures // each kind has been measured
  }

  async function measureRound(count: number): Promise<Figures> {
    const servers = group.servers.slice(0, count)
    await measures.signIn(servers)
    const found: Partial<Figures> = {}
    const pids = servers.map(({ pid }) => pid())
    await measures.sendHalfHour(servers)
    for (const kind of kinds) {
      await rest(pids)
      for (const server of servers) limits.get(server)?.limit(share)
      const [began, taken, idle] = [performance.now(), takenMs(pids), idleMs()]
      const each = await measures.of(kind, servers)
      const passed = performance.now() - began
      for (const server of servers) limits.get(server)?.limit()
      found[kind] = {
        perSecond: each.reduce((sum, one) => sum + one, 0),
        used: (takenMs(pids) - taken) / passed / share / count,
        left: (idleMs() - idle) / passed,
        servers: count,
      }
      const { perSecond, used, left } = found[kind]
      const parts = each.map(figure).join(' + ')
      say(
        `${count}: ${kind}: ${figure(perSecond)}/s (${parts}), ${(used * 100).toFixed(0)} % of the quota, ${left.toFixed(2)} cores idle`,
      )
    }
    return found as Figures // each kind has been measured
  }
} finally {
  for (const server of group.servers.slice(1)) await leave(server)
  await group.stop()
  await limits.get(first)?.close()
}

/** Waits until the servers have nothing left to do, such as sealing values, but half a minute at most. */
async function rest(pids: readonly number[]) {
  for (let passed = 0; passed < 30; passed += 1) {
    const before = takenMs(pids)
    await wait(1_000)
    if (takenMs(pids) - before < 100 * pids.length) return
  }
}

async function leave(server: GroupServer) {
  await server.stop()
  await limits.get(server)?.close()
  limits.delete(server)
}

function tell(before: Figures, after: Figures, more: readonly Figures[]) {
  const line = (what: string, ours: number, one: number) => ({
    what,
    unit: '/s',
    ours,
    peers: { 'one server, times as many': one },
    better: 'more' as const,
    goal: `${limit}×: ${ours >= limit * one ? 'met' : 'missed'}`,
  })
  const of = (kind: Kind, at: number, figureOf: (one: Figure) => number) =>
    line(
      `${kind}, ${at + 2} servers`,
      more.map((figures) => figureOf(figures[kind]))[at] ?? 0,
      (figureOf(before[kind]) + figureOf(after[kind])) / 2,
    )
  const title = `Growth: each server with ${share * 100} % of a core, ${natsCount} NATS`
  const all = more.flatMap((_, at) => kinds.map((kind) => ({ kind, at })))
  print(
    title,
    all.map(({ kind, at }) => {
      const { ours, peers, what } = of(kind, at, ({ perSecond }) => perSecond)
      return line(what, ours, peers['one server, times as many'] * (at + 2))
    }),
  )
  // On a machine that has nothing left a server does not get its quota: this says what its time brings.
  print(
    'A second of processor time of a server',
    all.map(({ kind, at }) => of(kind, at, perProcessorS)),
  )
}
function perProcessorS({ perSecond, used, servers }: Figure) {
  return perSecond / (used * share * servers)
}
