import { setTimeout as wait } from 'node:timers/promises'
import { openSession } from '../mqtt/session.ts'

/** Devices of a process: they connect to the first port, and after a loss to the next one. */
export type Start = {
  ports: number[]
  ca: string
  clients: { base: string; cert: string; key: string }[]
}
/** Order: connect all, or stay away from the next loss on. */
export type Order = 'connect' | 'stay away'
/** Number of devices that are connected. */
export type Told = { open: number }

/** Longest pause before a device that lost its line connects again. */
const jitterMs = 1_000
const atOnce = 50
let comesBack = true
let open = 0

process.once('message', ({ ports, ca, clients }: Start) => {
  async function connect(client: Start['clients'][number], attempt: number): Promise<void> {
    const port = ports[Math.min(attempt, ports.length - 1)] ?? 0
    const again = () => {
      if (comesBack) void wait(Math.random() * jitterMs).then(() => connect(client, attempt + 1))
    }
    const socket = await openSession({ port, ca, ...client }).catch(() => undefined) // tried again
    if (!socket) return again()
    open += 1
    socket.on('error', () => undefined) // the end of the socket follows
    socket.once('close', () => {
      open -= 1
      again()
    })
  }
  process.on('message', (order: Order) => {
    if (order === 'stay away') comesBack = false
    else
      void (async () => {
        for (let from = 0; from < clients.length; from += atOnce)
          await Promise.all(clients.slice(from, from + atOnce).map((client) => connect(client, 0)))
      })()
  })
  setInterval(() => process.send?.({ open } satisfies Told), 50)
})
