import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { cpuUsage } from 'node:process'
import { Worker } from 'node:worker_threads'

// What a running server costs, seen from outside: by the processor time of its main thread, so that a
// busy machine changes nothing.

export const descriptorsOf = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length

/** Megabytes of memory that a process has. */
export async function memoryOf(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

/** Processor time of a fixed piece of work on the machine that the limits were written on. */
const usualMs = 60

/** The limit of `ms` for a time that was measured, on the machine as it is now: what runs beside makes a thread slower. */
export const limitFor = (measured: number, ms: number) => (measured < ms ? ms : ms * slowness())

/** Factor by which this machine is slower; at least 1. */
export function slowness() {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, text: `text ${n}` })))
  const before = cpuUsage()
  for (let round = 0; round < 5; round += 1) JSON.parse(text)
  const { user, system } = cpuUsage(before)
  return Math.max(1, (user + system) / 1_000 / usualMs)
}

/**
 * The longest time that the loop of a server worked between a small question and its answer while
 * `work` was under way: what everybody else has to wait for it.
 */
export async function longestBlock<T>(
  server: { pid: () => number; url: string },
  work: () => Promise<T>,
) {
  const asker = await askerOf(server)
  const told = once(asker, 'message') as Promise<[number]>
  say(asker, 'begin')
  const result = await work().catch(async (error: unknown) => {
    say(asker, 'end')
    await told
    throw error
  })
  // The question that waited for the work is answered after it.
  say(asker, 'end')
  const [longest] = await told
  return { result, longest }
}

const askers = new Map<string, Worker>()

/** The thread that asks this server; it ends with the process. */
async function askerOf({ pid, url }: { pid: () => number; url: string }) {
  const key = `${pid()} ${url}`
  const known = askers.get(key)
  if (known) return known
  const asker = new Worker(new URL('./loop-asker.ts', import.meta.url), {
    workerData: { pid: pid(), url },
  })
  await once(asker, 'online')
  asker.unref()
  askers.set(key, asker)
  return asker
}

function say(asker: Worker, word: 'begin' | 'end') {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  asker.postMessage(word)
}

/**
 * Number of attempts at a slow measurement: programs are compiled at their first use, and a machine
 * has other work.
 */
const mostTries = 5

/**
 * The same, and again where it was longer than the limit of `mostMs`. What keeps everybody waiting does
 * so each time; the shortest of all tries counts, beside the limit that it was held against.
 */
export async function usualBlock<T>(
  server: { pid: () => number; url: string },
  mostMs: number,
  work: () => Promise<T>,
) {
  let best = await longestBlock(server, work)
  let limit = limitFor(best.longest, mostMs)
  for (let tries = 1; tries < mostTries && best.longest >= limit; tries++) {
    const again = await longestBlock(server, work)
    if (again.longest < best.longest) best = again
    limit = limitFor(best.longest, mostMs)
  }
  return { ...best, limit }
}
