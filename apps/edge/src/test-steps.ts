import net from 'node:net'
import { messageOf } from './retry.ts'

/** Values in a sentence: addresses, names and counts. */
type Values = Record<string, string | number>

/** Result text of a step in English; the portal translates it from `code` and `values`. */
export type Told = { detail: string; code?: string; values?: Values }

/** Step of a test: its name, success, duration and result text. */
export type Step = Told & { step: string; ok: boolean; ms: number }

export type Work = () => Promise<Told>

/** Failure of a step, with a code that the portal translates. */
export class StepFault extends Error {
  readonly told: Told
  constructor(told: Told, options?: ErrorOptions) {
    super(told.detail, options)
    this.told = told
  }
}

const mostDetail = 1_000

/** Runs the steps in order, up to the first that fails. */
export async function runSteps(steps: readonly [string, Work][]): Promise<Step[]> {
  const done: Step[] = []
  for (const [step, work] of steps) {
    const from = performance.now()
    const end = (ok: boolean, told: Told) =>
      done.push({
        step,
        ok,
        ...boundTexts(told),
        ms: Math.round(performance.now() - from),
      })
    try {
      end(true, await work())
    } catch (error) {
      const told = error instanceof StepFault ? error.told : {}
      end(false, { ...told, detail: messageOf(error) })
      return done
    }
  }
  return done
}

/** Result text with every text cut to the length limit of an answer. */
const boundTexts = ({ detail, code, values }: Told): Told => ({
  detail: detail.slice(0, mostDetail),
  ...(code !== undefined && { code }),
  ...(values !== undefined && {
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, mostDetail) : value,
      ]),
    ),
  }),
})

const reasons: Record<string, [code: string, detail: string]> = {
  ECONNREFUSED: [
    'reach.refused',
    'refuses the connection: nothing listens on this port, or a firewall says no',
  ],
  EHOSTUNREACH: ['reach.noWay', 'cannot be reached: no way leads there from the gateway'],
  ENETUNREACH: ['reach.noNetwork', 'cannot be reached: the gateway has no network to it'],
  ENOTFOUND: [
    'reach.noName',
    'is no name that the gateway knows; check it or write the IP address',
  ],
  EAI_AGAIN: [
    'reach.noLookup',
    'is no name that the gateway can look up now; write the IP address',
  ],
  ECONNRESET: ['reach.closed', 'closes the connection at once'],
}

/** Opens a TCP connection and closes it, to check that the port is reachable. */
export async function reach(host: string, port: number, timeoutMs = 3_000): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>()
  const address = `${host}:${port}`
  const socket = net.connect({ host, port })
  socket.setTimeout(timeoutMs, () => {
    const seconds = timeoutMs / 1_000
    const detail = `${address} does not answer within ${seconds} s; is it switched on, is the address right?`
    reject(new StepFault({ code: 'reach.silent', values: { address, seconds }, detail }))
  })
  socket.once('connect', () => {
    const from = socket.remoteAddress ?? ''
    const detail = `${address} answers from ${from}`
    resolve({ code: 'reach.answers', values: { address, from }, detail })
  })
  socket.once('error', (error: NodeJS.ErrnoException) => {
    const [code, reason] = reasons[error.code ?? ''] ?? []
    if (code === undefined) reject(new Error(`${address} ${messageOf(error)}`))
    else reject(new StepFault({ code, values: { address }, detail: `${address} ${reason}` }))
  })
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
