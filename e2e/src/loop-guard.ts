import { readdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { cpuUsage } from 'node:process'

// What a running server costs, seen from outside: by the processor time of its main thread, so that a
// busy machine changes nothing.

/** Milliseconds of processor time that the main thread of a process has used. */
export async function loopTime(pid: number) {
  const [ns = '0'] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(ns) / 1e6
}

export const descriptorsOf = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length

/** Megabytes of memory that a process has. */
export async function memoryOf(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

/** Processor time of a fixed piece of work on the machine that the limits were written on. */
const usualMs = 60

/** How much slower than that this machine is; never below 1. */
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
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const pid = server.pid()
  let [longest, running] = [0, true]
  const asking = (async () => {
    while (running) {
      const before = await loopTime(pid)
      await smallQuestion(server.url, agent)
      longest = Math.max(longest, (await loopTime(pid)) - before)
    }
  })()
  const end = async () => {
    running = false
    await asking
    agent.destroy()
  }
  try {
    const result = await work()
    // The question that waited for the work is answered after it.
    await end()
    return { result, longest }
  } finally {
    await end()
  }
}

/**
 * The same, and once more where it was longer than `mostMs`: programs are compiled at their first use.
 * What keeps everybody waiting does so each time; the shorter of the two counts.
 */
export async function usualBlock<T>(
  server: { pid: () => number; url: string },
  mostMs: number,
  work: () => Promise<T>,
) {
  const first = await longestBlock(server, work)
  if (first.longest < mostMs) return first
  const again = await longestBlock(server, work)
  return again.longest < first.longest ? again : first
}

const smallQuestion = (url: string, agent: Agent) =>
  new Promise<void>((resolve, reject) => {
    const call = request(`${url}/svc/core/api/v1/instance`, { agent }, (response) => {
      response.resume().on('end', resolve).on('error', reject)
    })
    call.on('error', reject).end()
  })
