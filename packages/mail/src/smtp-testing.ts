import net from 'node:net'

/** Answer at one point of a session: a text, several lines, silence, or the end of the connection. */
type Answer = string | 'silence' | 'end'
type Point = 'greeting' | 'EHLO' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'content' | 'RSET' | 'QUIT'
export type Script = Partial<Record<Point, Answer>>

const wellBehaved: Record<Point, Answer> = {
  greeting: '220 mail.test',
  EHLO: '250 mail.test',
  AUTH: '235 ok',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  content: '250 queued as 7',
  RSET: '250 ok',
  QUIT: '221 bye',
}

/** SMTP server that answers as its script says; `script` may change while it runs. */
export async function scriptedServer(script: Script) {
  const state = { script, connections: 0, mails: [] as string[], commands: [] as string[] }
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    state.connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined) // a client that leaves
    const say = (point: Point) => {
      const answer = state.script[point] ?? wellBehaved[point]
      if (answer === 'end') socket.destroy()
      else if (answer !== 'silence') socket.write(`${answer}\r\n`)
    }
    let content: string | undefined
    let unread = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      unread += text
      for (let end = unread.indexOf('\r\n'); end !== -1; end = unread.indexOf('\r\n')) {
        const line = unread.slice(0, end)
        unread = unread.slice(end + 2)
        if (content === undefined) {
          state.commands.push(line)
          const point = pointOf(line)
          if (point === 'DATA' && (state.script.DATA ?? '3').startsWith('3')) content = ''
          say(point)
        } else if (line === '.') {
          state.mails.push(content)
          content = undefined
          say('content')
        } else content += `${line}\n`
      }
    })
    say('greeting')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo // it listens on a port
  return {
    state,
    server: { url: `smtp://127.0.0.1:${port}`, from: 'Longreach <noreply@longreach.test>' },
    port,
    open: () => sockets.size,
    /** End the connections that are open, as a server does with idle ones. */
    hangUp: () => sockets.forEach((socket) => socket.destroy()),
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const pointOf = (line: string) => (line.split(/[ :]/)[0] ?? '').toUpperCase() as Point // what clients send
