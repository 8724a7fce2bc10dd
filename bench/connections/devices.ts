import { once } from 'node:events'
import tls from 'node:tls'
import mqttPacket from 'mqtt-packet'

/** Order to the process with the devices: `connect` so many more, or `again` the first so many. */
export type Order = { connect: number } | { again: number }
export type Start = {
  port: number
  ca: string
  key: string
  clients: { base: string; cert: string }[]
}

const patienceMs = 120_000
const sockets: tls.TLSSocket[] = []

async function connect({ port, ca, key, clients }: Start, index: number) {
  const { base, cert } = clients[index] ?? { base: '', cert: '' }
  const socket = tls.connect({ port, host: '127.0.0.1', ca, cert, key })
  socket.setNoDelay(true)
  sockets[index] = socket
  const signal = AbortSignal.timeout(patienceMs)
  await once(socket, 'secureConnect', { signal })
  socket.write(
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: base,
      clean: true,
      keepalive: 0,
    }),
  )
  await once(socket, 'data', { signal })
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
