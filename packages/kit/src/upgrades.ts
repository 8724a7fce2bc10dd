import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Handler of a connection that asked for another protocol. */
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

type Held = { byPath: Map<string, Upgrade>; sockets: Set<Duplex> }
const held = new WeakMap<Server, Held>()

/**
 * Dispatcher of a server's upgrades to the paths of `takeUpgrades`; others get 404 and are closed.
 * Node itself never closes such a connection.
 */
export function answerUpgrades(server: Server) {
  const upgrades: Held = { byPath: new Map(), sockets: new Set() }
  held.set(server, upgrades)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener a connection error would end the process.
    socket.on('error', () => socket.destroy())
    upgrades.sockets.add(socket)
    socket.once('close', () => upgrades.sockets.delete(socket))
    const take = upgrades.byPath.get(request.url?.split('?', 1)[0] ?? '')
    if (take) take(request, socket, head)
    else refuseUpgrade(socket, 404)
  })
}

/** Registers `take` for upgrades of a path. */
export function takeUpgrades(server: Server, path: string, take: Upgrade) {
  held.get(server)?.byPath.set(path, take)
}

/** Ends all upgraded connections, which closing the server does not do. */
export function endUpgrades(server: Server) {
  for (const socket of held.get(server)?.sockets ?? []) socket.destroy()
}

/**
 * Answers an upgrade with a status and closes the connection, whether or not the client closes its
 * side.
 */
export function refuseUpgrade(socket: Duplex, status: number) {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
  socket.end(`${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy())
}
