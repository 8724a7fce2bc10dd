import net from 'node:net'
import { once } from 'node:events'
import { createDeviceStates, type WhyEnded } from './device-states.ts'
import { type Attempt, createLine, type Order, type Told } from './wire.ts'

/** Pause of a device that lost its connection, or did not get one, before it tries again. */
const againMs = { from: 1_000, to: 5_000 }
const sendEveryMs = 20

type Memory = NonNullable<Told['memory']>
type Server = {
  line: { send: (order: Order) => void } | undefined
  /** It takes connections, as far as the balancer knows. */
  up: boolean
  orders: Attempt[]
  measured?: (memory: Memory) => void
}
type Heard = { hear: (server: number, told: Told) => void; lost: (server: number) => void }
type Options = { devices: number; servers: number; socket: string }

/** Balancer of connections over servers, with the devices' side of what happens to them. */
export async function startBalancer({ devices, servers, socket }: Options) {
  const states = createDeviceStates(devices)
  const { known } = states
  const all = Array.from({ length: servers }, (): Server => {
    return { line: undefined, up: false, orders: [] }
  })
  const open = (device: number) => {
    const one = known[device]
    if (!one || one.staysAway || one.state !== 'away') return
    const up = all.flatMap((server, at) => (server.up ? [{ server, at }] : []))
    const chosen = up[Math.floor(Math.random() * up.length)]
    if (chosen) chosen.server.orders.push(states.opening(device, chosen.at))
    else openLater(device)
  }
  const openLater = (device: number) => {
    const ms = againMs.from + Math.random() * (againMs.to - againMs.from)
    setTimeout(() => open(device), ms).unref()
  }
  const end = (device: number, at: number, why: WhyEnded) => {
    if (states.ended(device, at, why)) openLater(device)
  }
  const close = await startListener(socket, all, {
    hear(server, { connected = [], served = [], ended = [], memory }) {
      const isHere = (device: number) => known[device]?.server === server
      for (const [device, at] of connected) if (isHere(device)) states.connected(device, at)
      for (const attempt of served) states.served(attempt)
      for (const [device, at, why] of ended) if (isHere(device)) end(device, at, why)
      if (memory) all[server]?.measured?.(memory)
    },
    lost(server) {
      const now = Date.now()
      for (const [device, one] of known.entries()) {
        if (one.server === server) end(device, now, 'killed')
      }
    },
  })
  return {
    ...states,
    /** Lets a server take connections, or no more. */
    admit(server: number, up: boolean) {
      const one = all[server]
      if (one) one.up = up
    },
    /** All devices connect for the first time, at once. */
    openAll() {
      const now = Date.now()
      for (const [device, one] of known.entries()) {
        one.since = now
        open(device)
      }
    },
    /** Cuts the connections of all devices; they come back after their pause. */
    cut() {
      for (const { line } of all) line?.send({ cut: true })
    },
    /** Devices do not connect again, or at once. */
    stayAway(some: readonly number[], staysAway: boolean) {
      for (const device of some) {
        const one = known[device]
        if (one) one.staysAway = staysAway
        if (!staysAway) open(device)
      }
    },
    /** Memory of a server after a full collection. */
    measure(server: number) {
      const one = all[server]
      return new Promise<Memory>((measured) => {
        if (one) one.measured = measured
        one?.line?.send({ measure: true })
      })
    },
    close,
  }
}
export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/** Listens for the servers' processes, and sends them their orders; the answer ends it. */
async function startListener(socket: string, all: readonly Server[], { hear, lost }: Heard) {
  const listener = net.createServer((connection) => {
    let at = -1
    const line = createLine<Order, Told>(connection, (told) => {
      if (told.server === undefined) return hear(at, told)
      at = told.server
      const server = all[at]
      if (server) server.line = line
    })
    connection.on('error', () => undefined) // its close follows
    connection.on('close', () => {
      const server = all[at]
      if (server) Object.assign(server, { line: undefined, up: false, orders: [] })
      lost(at)
    })
  })
  listener.listen(socket)
  await once(listener, 'listening')
  const sending = setInterval(() => {
    for (const server of all) {
      if (server.orders.length === 0 || !server.line) continue
      server.line.send({ open: server.orders })
      server.orders = []
    }
  }, sendEveryMs)
  return () => {
    clearInterval(sending)
    listener.close()
  }
}
