import { createServer, type AddressInfo } from 'node:net'

/** Local SMTP receiver that takes every mail; `received` are the times at which one had come whole. */
export async function startMailReceiver() {
  const received: number[] = []
  const server = createServer((socket) => {
    let isBody = false
    let rest = ''
    socket.on('error', () => undefined) // the sender has gone; what it sent whole is counted
    socket.write('220 bench\r\n')
    socket.on('data', (data: Buffer) => {
      rest += data.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (isBody) {
          if (line !== '.') continue
          isBody = false
          received.push(Date.now())
          socket.write('250 taken\r\n')
        } else if (/^DATA/i.test(line)) {
          isBody = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 OK\r\n')
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => void server.close(),
  }
}
