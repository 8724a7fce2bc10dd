import net from 'node:net'
import { messageOf } from './retry.ts'

/** One step of a test: what was tried, whether it worked, and what was seen. */
export type Step = { step: string; ok: boolean; detail: string; ms: number }

const mostDetail = 1_000

/** Does the steps one after the other, up to the first that fails. */
export async function runSteps(steps: readonly [string, () => Promise<string>][]): Promise<Step[]> {
  const done: Step[] = []
  for (const [step, work] of steps) {
    const from = performance.now()
    const end = (ok: boolean, detail: string) =>
      done.push({
        step,
        ok,
        detail: detail.slice(0, mostDetail),
        ms: Math.round(performance.now() - from),
      })
    try {
      end(true, await work())
    } catch (error) {
      end(false, messageOf(error))
      return done
    }
  }
  return done
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection: nothing listens on this port, or a firewall says no',
  EHOSTUNREACH: 'cannot be reached: no way leads there from the gateway',
  ENETUNREACH: 'cannot be reached: the gateway has no network to it',
  ENOTFOUND: 'is no name that the gateway knows; check it or write the IP address',
  EAI_AGAIN: 'is no name that the gateway can look up now; write the IP address',
  ECONNRESET: 'closes the connection at once',
}

/** Open a TCP connection and close it: is somebody there? */
export async function reach(host: string, port: number, timeoutMs = 3_000): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = net.connect({ host, port })
  socket.setTimeout(timeoutMs, () =>
    reject(
      new Error(
        `${host}:${port} does not answer within ${timeoutMs / 1_000} s; is it switched on, is the address right?`,
      ),
    ),
  )
  socket.once('connect', () =>
    resolve(`${host}:${port} answers from ${socket.remoteAddress ?? ''}`),
  )
  socket.once('error', (error: NodeJS.ErrnoException) =>
    reject(new Error(`${host}:${port} ${reasons[error.code ?? ''] ?? messageOf(error)}`)),
  )
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
