import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Takes over a connection that asked for another protocol. */
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

type Held = { byPath: Map<string, Upgrade>; sockets: Set<Duplex> }
const held = new WeakMap<Server, Held>()

/**
 * Listens for upgrades of a server: those of a path that `takeUpgrades` names go there, all others are
 * answered with 404 and closed. Node itself never closes a connection that asked for an upgrade.
 */
export function answerUpgrades(server: Server) {
  const upgrades: Held = { byPath: new Map(), sockets: new Set() }
  held.set(server, upgrades)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener an error of the connection would end the process.
    socket.on('error', () => socket.destroy())
    upgrades.sockets.add(socket)
    socket.once('close', () => upgrades.sockets.delete(socket))
    const take = upgrades.byPath.get(request.url?.split('?', 1)[0] ?? '')
    if (take) take(request, socket, head)
    else refuseUpgrade(socket, 404)
  })
}

/** Give upgrades of a path to `take`. */
export function takeUpgrades(server: Server, path: string, take: Upgrade) {
  held.get(server)?.byPath.set(path, take)
}

/** End all upgraded connections: nothing else does when the server closes. */
export function endUpgrades(server: Server) {
  for (const socket of held.get(server)?.sockets ?? []) socket.destroy()
}

/** Answer an upgrade with a status and close its connection, whether or not the client closes its side. */
export function refuseUpgrade(socket: Duplex, status: number) {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
  socket.end(`${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy())
}
