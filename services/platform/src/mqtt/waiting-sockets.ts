import type { Duplex } from 'node:stream'

type Socket = Pick<Duplex, 'destroy' | 'once'>
type Limits = { all: number; ofOne: number; ms: number }

/**
 * Sockets that wait for something, by their owner. None is ever refused: when one owner has too many,
 * its oldest is dropped, and when there are too many in all, the oldest of the owner that has the
 * most. So an owner that opens many loses its own.
 */
export function createWaitingSockets({ all, ofOne, ms }: Limits) {
  const groups = new Map<string, Map<Socket, NodeJS.Timeout>>()
  let size = 0
  const remove = (owner: string, socket: Socket) => {
    const group = groups.get(owner)
    const timer = group?.get(socket)
    if (!group || timer === undefined) return
    clearTimeout(timer)
    group.delete(socket)
    if (group.size === 0) groups.delete(owner)
    size -= 1
  }
  const drop = (owner: string, socket: Socket) => {
    remove(owner, socket)
    socket.destroy()
  }
  const dropOldest = (owner: string) => {
    const [oldest] = groups.get(owner)?.keys() ?? []
    if (oldest) drop(owner, oldest)
  }
  const largest = () => {
    let found = ''
    let most = 0
    for (const [owner, group] of groups) {
      if (group.size > most) [found, most] = [owner, group.size]
    }
    return found
  }
  return {
    /** The returned function says that the socket waits no more. */
    add(owner: string, socket: Socket) {
      if ((groups.get(owner)?.size ?? 0) >= ofOne) dropOldest(owner)
      else if (size >= all) dropOldest(largest())
      const group = groups.get(owner) ?? new Map<Socket, NodeJS.Timeout>()
      groups.set(owner, group)
      const late = setTimeout(() => drop(owner, socket), ms).unref()
      group.set(socket, late)
      size += 1
      const leave = () => remove(owner, socket)
      socket.once('close', leave)
      return leave
    },
    close() {
      for (const [owner, group] of groups) {
        for (const socket of group.keys()) drop(owner, socket)
      }
    },
  }
}
