import net from 'node:net'

/** Port that stays free while its server is stopped: below the range for outgoing connections. */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const server = net.createServer()
  const isFree = await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen(port, () => done(true))
  })
  if (!isFree) return freePort()
  await new Promise((done) => server.close(done))
  return port
}
