import { setTimeout as wait } from 'node:timers/promises'
import type { GroupServer } from '../../e2e/src/server-group.ts'
import { takenMs } from '../growth/processor.ts'
import { say } from '../report.ts'
import type { Balancer } from './balancer.ts'
import type { Shown } from './shown.ts'
import type { Statements } from './statements.ts'
import type { Watch } from './watch.ts'

type Deps = {
  balancer: Balancer
  shown: Shown
  statements: Statements
  watch: Watch
  servers: readonly GroupServer[]
  count: number
  /** Most seconds of a phase. */
  limitS: number
}
/** The run so far, as phases look at it. */
export function createProgress(deps: Deps) {
  const { balancer, shown, statements, watch, count, limitS } = deps
  const { counts, absences } = balancer
  return {
    ...deps,
    /** Seconds until something holds. */
    async until(what: string, holds: () => boolean | Promise<boolean>, began: number) {
      while (!(await holds())) {
        const passedS = (performance.now() - began) / 1_000
        if (passedS > limitS) throw new Error(`not ${what} within ${limitS} s`)
        await wait(50)
      }
      return (performance.now() - began) / 1_000
    },
    areConnected: () => counts.connected === count,
    areServed: () => counts.served === count,
    areShown: async () => counts.connected === count && (await shown.connected()).size === count,
    /** Begins a phase; the function that it returns tells how the devices fared in it. */
    async begin(name: string) {
      say(name)
      const since = new Date()
      absences.length = 0
      balancer.ends.clear()
      watch.take()
      await statements.reset()
      return async () => {
        const { all, wrong } = await shown.wrongDisconnections(since, absences)
        const done = await statements.read()
        return { away: percentiles(absences), shownAway: all, wrong, late: watch.take(), done }
      }
    },
  }
}
type Progress = ReturnType<typeof createProgress>

export async function storm(progress: Progress) {
  const { balancer, servers, count, until } = progress
  const finish = await progress.begin('storm: all connect')
  const before = await memoryOf(balancer, servers)
  const pids = servers.map(({ pid }) => pid())
  const taken = takenMs(pids)
  const began = performance.now()
  balancer.openAll()
  const connectedS = await until('connected', progress.areConnected, began)
  const shownS = await until('shown', progress.areShown, began)
  const servedS = await until('served', progress.areServed, began)
  const cpuMs = (takenMs(pids) - taken) / count
  const found = await finish()
  const after = await memoryOf(balancer, servers)
  const kB = {
    heap: (after.heap - before.heap) / count / 1_000,
    resident: (after.resident - before.resident) / count / 1_000,
  }
  return { connectedS, shownS, servedS, cpuMs, kB, ...found }
}

/** Every server stops in order and starts again, one after another. */
export async function rollingRestart(progress: Progress) {
  const { balancer, servers, until } = progress
  const finish = await progress.begin('rolling restart')
  const began = performance.now()
  const passed = (since: number) => ((performance.now() - since) / 1_000).toFixed(1)
  for (const [at, server] of servers.entries()) {
    const stopped = performance.now()
    balancer.admit(at, false)
    await server.stop('keep')
    const stop = passed(stopped)
    await server.restart()
    balancer.admit(at, true)
    const start = passed(stopped)
    await until('connected again', progress.areConnected, stopped)
    const back = passed(stopped)
    await until('served again', progress.areServed, stopped)
    say(
      `  server ${at}: stopped after ${stop} s, started ${start} s, all back ${back} s, served ${passed(stopped)} s`,
    )
  }
  const totalS = await until('shown', progress.areShown, began)
  return { totalS, ...(await finish()) }
}

/** The server with the most devices is killed; some of them stay away until all is shown rightly. */
export async function kill(progress: Progress, stay: number) {
  const { balancer, shown, servers, count, until } = progress
  const victim = fullest(balancer, servers.length)
  const finish = await progress.begin(`kill -9 of server ${victim}`)
  const own = balancer.known.flatMap(({ server }, device) => (server === victim ? [device] : []))
  const staying = own.slice(0, Math.min(stay, Math.floor(own.length / 2)))
  balancer.stayAway(staying, true)
  const began = performance.now()
  balancer.admit(victim, false)
  await servers[victim]?.kill()
  const returning = count - staying.length
  await until('lost', () => balancer.counts.connected < returning, began)
  const areBack = () => balancer.counts.connected === returning
  const isRight = async () => {
    const all = await shown.connected()
    return areBack() && all.size === returning && !staying.some((device) => all.has(device))
  }
  const backS = await until('back', areBack, began)
  const rightS = await until('shown rightly', isRight, began)
  const found = await finish()
  await servers[victim]?.restart()
  balancer.admit(victim, true)
  balancer.stayAway(staying, false)
  const restarted = performance.now()
  await until('served', progress.areServed, restarted)
  await until('shown', progress.areShown, restarted)
  return { had: own.length, staying: staying.length, backS, rightS, ...found }
}

/** All connections are cut at once; servers get the ends of one half. */
export async function cut(progress: Progress) {
  const { balancer, count, until } = progress
  const finish = await progress.begin('the network is cut')
  const began = performance.now()
  balancer.cut()
  await until('cut', () => balancer.counts.connected < count / 2, began)
  const backS = await until('back', progress.areConnected, began)
  const shownS = await until('shown', progress.areShown, began)
  const servedS = await until('served', progress.areServed, began)
  return { backS, shownS, servedS, ...(await finish()) }
}

async function memoryOf(balancer: Balancer, servers: readonly GroupServer[]) {
  const sum = { heap: 0, resident: 0 }
  for (const at of servers.keys()) {
    const { heap, resident } = await balancer.measure(at)
    sum.heap += heap
    sum.resident += resident
  }
  return sum
}

/** Server with the most devices. */
function fullest({ known }: Balancer, servers: number) {
  const counts = Array.from({ length: servers }, () => 0)
  for (const { server } of known) counts[server] = (counts[server] ?? 0) + 1
  return counts.indexOf(Math.max(...counts))
}

/** Seconds of absences: the middle, the 99th percentile, the longest. */
function percentiles(absences: readonly { from: number; to: number }[]) {
  const sorted = absences.map(({ from, to }) => (to - from) / 1_000).toSorted((a, b) => a - b)
  const of = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { middle: of(0.5), high: of(0.99), longest: of(1) }
}
