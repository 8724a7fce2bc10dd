import { once } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { openSession } from '../mqtt/session.ts'

/** Order to the process with the devices: `connect` so many more, or `again` the first so many. */
export type Order = { connect: number } | { again: number }
export type Start = {
  port: number
  ca: string
  key: string
  clients: { base: string; cert: string }[]
}

const patienceMs = 120_000
const sockets: TLSSocket[] = []

async function connect({ port, ca, key, clients }: Start, index: number) {
  const { base, cert } = clients[index] ?? { base: '', cert: '' }
  const signal = AbortSignal.timeout(patienceMs)
  const socket = await openSession({ port, ca, key, base, cert }, signal)
  sockets[index] = socket
  socket.on('error', () => undefined) // counted when it is asked for again
}

/** Ms until the last of them is let in. */
async function all(start: Start, from: number, to: number, atOnce: number) {
  const began = performance.now()
  for (let index = from; index < to; index += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, to - index) }, (_, at) =>
      connect(start, index + at),
    )
    await Promise.all(some)
  }
  return performance.now() - began
}

process.once('message', (start: Start) => {
  process.on('message', (order: Order) => {
    void (async () => {
      if ('connect' in order) {
        const from = sockets.length
        return process.send?.({ ms: await all(start, from, from + order.connect, 100) })
      }
      const gone = sockets.slice(0, order.again).map((socket) => once(socket.destroy(), 'close'))
      await Promise.all(gone)
      return process.send?.({ ms: await all(start, 0, order.again, order.again) })
    })()
  })
  process.send?.({ ready: true })
})
