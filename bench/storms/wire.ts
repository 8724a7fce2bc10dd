import type { Socket } from 'node:net'

/** Device of a run by its number, and how many times it has tried to connect. */
export type Attempt = [device: number, attempt: number]

/** Order of the driver to the load in a server. */
export type Order =
  | { open: Attempt[] }
  /** Cuts all connections: those of odd devices end, of even ones the server gets nothing any more. */
  | { cut: true }
  | { measure: true }

/** News of the load in a server for the driver; times are in ms since 1970. */
export type Told = {
  server?: number
  connected?: [device: number, at: number][]
  /** The attempts in which a device went through its first messages, and its value was acknowledged. */
  served?: Attempt[]
  ended?: [device: number, at: number, why: End][]
  /** Bytes of the process after a full collection. */
  memory?: { heap: number; resident: number }
}
export type End = 'refused' | 'late' | 'closed' | 'cut'

/** Writes and reads messages as lines of JSON. */
export function createLine<Out, In>(socket: Socket, hear: (message: In) => void) {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(JSON.parse(line) as In) // of the same version, from this machine
  })
  return { send: (message: Out) => void socket.write(`${JSON.stringify(message)}\n`) }
}
