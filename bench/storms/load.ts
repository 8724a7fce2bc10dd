import { readFileSync } from 'node:fs'
import net from 'node:net'
import { collectGarbage } from '@longreach/kit/garbage'
import type { DeviceLines } from '../../services/platform/src/mqtt/device-lines.ts'
import { Device } from './device.ts'
import { keepAliveS } from './device-packets.ts'
import { readDevices } from './device-file.ts'
import { type Attempt, createLine, type End, type Order, type Told } from './wire.ts'

type Options = { lines: DeviceLines; file: string; socket: string; server: number; realm: string }

/** Interval at which the driver is told what happened. */
const tellEveryMs = 20
/** Pause between two connections, as the endpoint begins handshakes of TLS. */
const openEveryMs = 1

/** Devices in the process of a server, which connect when the driver says so. */
export function startLoad({ lines, file, socket, server, realm }: Options) {
  let known: ReturnType<typeof readDevices> | undefined
  const devices = new Map<number, Device>()
  const news = createNews()
  let stopping = false
  process.once('SIGTERM', () => (stopping = true))

  const open = ([device, attempt]: Attempt) => {
    const { endpoint } = lines
    const ended = (why: End) => {
      if (devices.get(device) === made) devices.delete(device)
      news.ended.push([device, Date.now(), why])
    }
    let made: Device | undefined
    // As a port that is closed.
    if (stopping || !endpoint) return ended('refused')
    known ??= readDevices(readFileSync(file))
    made = new Device(
      {
        ...known(device),
        realm,
        value: attempt,
        connected: () => news.connected.push([device, Date.now()]),
        served: () => news.served.push([device, attempt]),
        ended,
      },
      endpoint,
    )
    devices.set(device, made)
  }
  const enqueue = createQueue(open)
  const connection = net.connect(socket)
  const line = createLine<Told, Order>(connection, (order) => {
    if ('open' in order) enqueue(order.open)
    else if ('cut' in order) for (const [device, one] of devices) one.cut(device % 2 === 0)
    else void measure().then((memory) => line.send({ memory }))
  })
  line.send({ server })
  const telling = setInterval(() => {
    const told = news.take()
    if (told) line.send(told)
  }, tellEveryMs).unref()
  connection.on('error', () => clearInterval(telling)) // the driver has ended
  connection.unref()
  let second = 0
  setInterval(() => {
    second = (second + 1) % keepAliveS
    for (const [device, one] of devices) if (device % keepAliveS === second) one.ping()
  }, 1_000).unref()
}

async function measure() {
  await collectGarbage()
  const { heapUsed: heap, rss: resident } = process.memoryUsage()
  return { heap, resident }
}

function createNews() {
  let told = { connected: [], served: [], ended: [] } as Required<Omit<Told, 'server' | 'memory'>>
  return {
    get connected() {
      return told.connected
    },
    get served() {
      return told.served
    },
    get ended() {
      return told.ended
    },
    /** News since the last time; undefined when there are none. */
    take() {
      const { connected, served, ended } = told
      if (connected.length + served.length + ended.length === 0) return undefined
      told = { connected: [], served: [], ended: [] }
      return { connected, served, ended }
    },
  }
}

/** Opens connections one by one, a pause between two of them. */
function createQueue(open: (attempt: Attempt) => void) {
  let waiting: Attempt[] = []
  let at = 0
  const turn = () => {
    const next = waiting[at++]
    if (next) open(next)
    if (at < waiting.length) setTimeout(turn, openEveryMs)
    else [waiting, at] = [[], 0]
  }
  return (more: Attempt[]) => {
    const isIdle = waiting.length === 0
    for (const one of more) waiting.push(one)
    if (isIdle && more.length > 0) setTimeout(turn, openEveryMs)
  }
}
