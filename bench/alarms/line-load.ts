import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { serialize } from 'bson'
import mqttPacket from 'mqtt-packet'
import { openSession } from '../mqtt/session.ts'

/** Lines that send their values, all in turn, so many a second. */
export type Start = {
  port: number
  ca: string
  topics: string[]
  valuesPerS: number
  lines: { base: string; cert: string; key: string }[]
}
/** A value that one series has for a time, instead of its own. */
export type Order = { line: number; tag: number; value: number; forMs: number }
export type Told =
  | { ready: { metricsPort: number } }
  /** First value of an order has gone out, with this time. */
  | { raised: { line: number; tag: number; value: number; at: number } }
  | { figures: { sent: number; acknowledged: number; seconds: number } }

const tickMs = 10
const sockets: TLSSocket[] = []
let [sent, acknowledged] = [0, 0]
const ordered = new Map<string, { value: number; until?: number; forMs: number }>()
const newest = new Map<string, number>()

const keyOf = (line: number, tag: number) => `line="${line}",tag="${tag}"`
const tell = (told: Told) => process.send?.(told)

/** Value of a series now: its own wave, or what was ordered. */
function sample(line: number, tag: number, now: number): number {
  const key = keyOf(line, tag)
  const order = ordered.get(key)
  if (order?.until !== undefined && order.until <= now) ordered.delete(key)
  const holding = ordered.get(key)
  if (holding && holding.until === undefined) {
    holding.until = now + holding.forMs
    tell({ raised: { line, tag, value: holding.value, at: now } })
  }
  const value = holding?.value ?? 50 + 20 * Math.sin(now / 10_000 + line + tag)
  newest.set(key, value)
  return value
}

function send({ topics, valuesPerS, lines }: Start) {
  const begun = performance.now()
  setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1_000) * valuesPerS)
    const parts = new Map<number, Buffer[]>()
    for (; sent < due; sent += 1) {
      const line = sent % lines.length
      const tag = Math.floor(sent / lines.length) % topics.length
      const now = Date.now()
      const payload = Buffer.from(serialize({ v: sample(line, tag, now), t: new Date(now) }))
      const packet = mqttPacket.generate({
        cmd: 'publish',
        topic: `${lines[line]?.base ?? ''}${topics[tag] ?? ''}`,
        payload,
        qos: 1,
        dup: false,
        retain: false,
        messageId: (sent % 0xffff) + 1,
      })
      const list = parts.get(line)
      if (list) list.push(packet)
      else parts.set(line, [packet])
    }
    for (const [line, list] of parts) sockets[line]?.write(Buffer.concat(list))
  }, tickMs)
  setInterval(
    () => tell({ figures: { sent, acknowledged, seconds: (performance.now() - begun) / 1_000 } }),
    200,
  )
}

async function connect(start: Start) {
  for (const line of start.lines) {
    const socket = await openSession({ port: start.port, ca: start.ca, ...line })
    // An acknowledgement has four bytes; the first byte of each says which packet it is.
    let bytes = 0
    socket.on('data', (data: Buffer) => {
      bytes += data.length
      acknowledged += Math.floor(bytes / 4)
      bytes %= 4
    })
    socket.on('close', () => {
      throw new Error(`the connection of ${line.base} has ended`)
    })
    sockets.push(socket)
  }
}

const metrics = createServer((_, answer) => {
  answer.setHeader('content-type', 'text/plain; version=0.0.4')
  answer.end([...newest].map(([key, value]) => `v{${key}} ${value}\n`).join(''))
})

process.once('message', (start: Start) => {
  process.on('message', ({ line, tag, value, forMs }: Order) => {
    ordered.set(keyOf(line, tag), { value, forMs })
  })
  metrics.listen(0, '127.0.0.1', () => {
    void connect(start).then(() => {
      send(start)
      return tell({ ready: { metricsPort: (metrics.address() as AddressInfo).port } })
    })
  })
})
