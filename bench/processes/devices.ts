import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import tls from 'node:tls'
import mqttPacket from 'mqtt-packet'

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
  async function connect({ base, cert, key }: Start['clients'][number], attempt: number) {
    const port = ports[Math.min(attempt, ports.length - 1)]
    const socket = tls.connect({ port, host: '127.0.0.1', ca, cert, key })
    socket.on('error', () => undefined) // the end of the socket follows
    socket.once('close', () => {
      if (socket.bytesRead > 0) open -= 1
      if (comesBack)
        void wait(Math.random() * jitterMs).then(() => connect(clientOf(base), attempt + 1))
    })
    await once(socket, 'secureConnect').catch(() => undefined) // it is tried again after the end
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
    await once(socket, 'data').then(
      () => (open += 1),
      () => undefined,
    ) // tried again likewise
  }
  const byBase = new Map(clients.map((client) => [client.base, client]))
  const clientOf = (base: string) => byBase.get(base) ?? { base, cert: '', key: '' }
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
