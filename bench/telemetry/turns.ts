import { figure, say } from '../report.ts'
import type { Answer, Peer } from './peer.ts'
import { flushes, type Rows, type Shape } from './signals.ts'

const inFlight = 2
const flushesInBlock = 100

/** A store under test, and the rows of a shape that it gets: all of them, or a part that is enough. */
export type Entrant = { peer: Peer; takes?: (row: { n: number; t: number }) => boolean }
type Ingest = { rows: number; rate: number; atRest: number }

/**
 * Feed a shape to all stores, a block of flushes to each in turn, so that whatever else the machine
 * does meets all of them alike. Only the time in which a store works counts, not that in which
 * values are made up or a client's text is written.
 */
export async function ingestInTurns(entrants: Entrant[], shape: Shape, flushRows: number) {
  const busy = entrants.map(() => 0)
  const rows = entrants.map(() => 0)
  let turn = 0
  for (const block of blocks(shape, flushRows)) {
    turn += 1
    for (const step of entrants.keys()) {
      const at = (step + turn) % entrants.length
      const entrant = entrants[at]
      if (!entrant) continue
      const taken = block.map((flush) => part(flush, entrant.takes)).filter(({ t }) => t.length > 0)
      rows[at] = (rows[at] ?? 0) + taken.reduce((sum, { t }) => sum + t.length, 0)
      busy[at] = (busy[at] ?? 0) + (await feed(taken.map((flush) => entrant.peer.prepare(flush))))
    }
  }
  const found: Ingest[] = []
  for (const [at, { peer }] of entrants.entries()) {
    const start = performance.now()
    await peer.settle()
    const settled = performance.now() - start
    const [count, ms] = [rows[at] ?? 0, busy[at] ?? 0]
    found.push({ rows: count, rate: (count / ms) * 1000, atRest: (count / (ms + settled)) * 1000 })
    say(
      `${peer.name}: ${figure(count)} values in ${figure(ms)} ms, then ${figure(settled)} ms to settle`,
    )
  }
  return found
}

function* blocks(shape: Shape, flushRows: number) {
  let block: Rows[] = []
  for (const flush of flushes(shape, flushRows)) {
    block.push(flush)
    if (block.length < flushesInBlock) continue
    yield block
    block = []
  }
  if (block.length > 0) yield block
}

function part(rows: Rows, takes: Entrant['takes']): Rows {
  if (!takes) return rows
  const kept = [...rows.t.keys()].filter((row) =>
    takes({ n: rows.series[row] ?? 0, t: rows.t[row] ?? 0 }),
  )
  const pick = (column: number[]) => kept.map((row) => column[row] ?? 0)
  return { series: pick(rows.series), t: pick(rows.t), v: pick(rows.v) }
}

/** Send flushes, two at a time; returns how long it took, in ms. */
async function feed(sends: (() => Promise<unknown>)[]) {
  const start = performance.now()
  const waiting = sends.values()
  const lane = async () => {
    for (const send of waiting) await send()
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return performance.now() - start
}

type Times = { median: number; best: number }

/**
 * Ask every store the same question, one try each in turn: a hundred tries, or those of `withinMs`
 * and eleven at least. Their answers must agree.
 */
export async function askInTurns(
  peers: Peer[],
  what: string,
  ask: (peer: Peer) => Promise<Answer>,
  { tries = 100, atLeast = 11, withinMs = 8000 } = {},
): Promise<Times[]> {
  const answers: Answer[] = []
  for (const peer of peers) answers.push(await ask(peer))
  compareAnswers(peers, answers, what)
  const taken = peers.map((): number[] => [])
  const begun = performance.now()
  for (let turn = 0; turn < tries; turn += 1) {
    if (turn >= atLeast && performance.now() - begun > withinMs) break
    for (const [at, peer] of peers.entries()) {
      const start = performance.now()
      await ask(peer)
      taken[at]?.push(performance.now() - start)
    }
  }
  return taken.map((times) => {
    const sorted = times.toSorted((a, b) => a - b)
    return { median: sorted[sorted.length >> 1] ?? Number.NaN, best: sorted[0] ?? Number.NaN }
  })
}

/** Some stores keep about 15 digits of a value. */
const closeEnough = 1e-9

function compareAnswers(peers: Peer[], answers: Answer[], what: string) {
  const first = answers[0] ?? { count: 0, sum: 0 }
  const agrees = ({ count, sum }: Answer) =>
    count === first.count && Math.abs(sum - first.sum) <= closeEnough * Math.abs(first.sum)
  const told = answers.map(
    ({ count, sum }, at) => `${peers[at]?.name} ${count} with the sum ${sum}`,
  )
  if (!answers.every(agrees)) throw new Error(`${what}: the answers differ: ${told.join('; ')}`)
  say(`${what}: all answer ${first.count} with the same sum`)
}
