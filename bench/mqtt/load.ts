import type { TLSSocket } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import { serialize } from 'bson'
import mqttPacket from 'mqtt-packet'
import { openSession } from './session.ts'

/** Order to a load worker: the clients that connect, and the messages of each. */
export type Load = {
  port: number
  ca: string
  clients: { base: string; cert: string; key: string }[]
  topic: string
  qos: 0 | 1
  messages: number
  /** Messages of QoS 1 that one client has under way. */
  window: number
  /** Times of the values: the first, in ms since 1970, and the distance; without them a day ago and 1 ms. */
  times?: { from: number; everyMs: number }
}

type Client = { socket: TLSSocket; work: () => Promise<void> }
const load = workerData as Load

async function connect(index: number): Promise<Client> {
  const client = load.clients[index] ?? { base: '', cert: '', key: '' }
  const socket = await openSession({ port: load.port, ca: load.ca, ...client })
  return { socket, work: () => send(socket, `${client.base}${load.topic}`) }
}

/** Frames of `count` messages in one buffer; each has its own time and value. */
function frames(topic: string, first: number, count: number) {
  const parts: Buffer[] = []
  for (let index = first; index < first + count; index++) {
    const payload = Buffer.from(serialize({ v: index / 7, t: new Date(from + index * everyMs) }))
    const head = load.qos === 0 ? {} : { messageId: (index % 0xffff) + 1 }
    parts.push(
      mqttPacket.generate({
        cmd: 'publish',
        topic,
        payload,
        qos: load.qos,
        dup: false,
        retain: false,
        ...head,
      }),
    )
  }
  return Buffer.concat(parts)
}
const { from, everyMs } = load.times ?? { from: Date.now() - 86_400_000, everyMs: 1 }

/** Send everything; resolves when the last is acknowledged, or for QoS 0 when a ping after it is answered. */
function send(socket: TLSSocket, topic: string): Promise<void> {
  const batch = Math.min(load.window, load.messages)
  const ready: Buffer[] = []
  for (let from = 0; from < load.messages; from += batch) {
    ready.push(frames(topic, from, Math.min(batch, load.messages - from)))
  }
  const ping = mqttPacket.generate({ cmd: 'pingreq' })
  return new Promise((resolve) => {
    let sent = 0
    let acknowledged = 0
    const next = () => {
      if (sent < ready.length) return socket.write(ready[sent++] ?? ping)
      return false
    }
    let rest = 0
    socket.on('data', (bytes: Buffer) => {
      if (load.qos === 0) {
        if (bytes.includes(0xd0)) resolve()
        return
      }
      // A PUBACK has four bytes; a part of one waits for the rest.
      const before = Math.floor(acknowledged / batch)
      acknowledged += Math.floor((rest + bytes.length) / 4)
      rest = (rest + bytes.length) % 4
      for (let refill = Math.floor(acknowledged / batch) - before; refill > 0; refill--) next()
      if (acknowledged >= load.messages) resolve()
    })
    if (load.qos === 1) return void next()
    const pour = () => {
      while (sent < ready.length) if (!next()) return void socket.once('drain', pour)
      socket.write(ping)
    }
    pour()
  })
}

const clients: Client[] = []
for (let index = 0; index < load.clients.length; index += 50) {
  const some = Array.from({ length: Math.min(50, load.clients.length - index) }, (_, at) =>
    connect(index + at),
  )
  clients.push(...(await Promise.all(some)))
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
parentPort?.postMessage('connected')
parentPort?.once('message', () => {
  void Promise.all(clients.map(({ work }) => work())).then(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort?.postMessage('done')
    for (const { socket } of clients) socket.destroy()
    return undefined
  })
})
