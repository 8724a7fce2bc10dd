import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import type pg from 'pg'
import { ours } from '../mqtt/server.ts'

/** First message to the process that listens. */
export type Wanted = {
  kind: 'ours' | 'bare'
  tls: { key: string; cert: string; ca: string }
  connection: pg.ClientConfig
  most: number
}

/** Resident bytes of this process; what it shares with others counts in part. */
function memory() {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const rollup = readFileSync('/proc/self/smaps_rollup', 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024
}

/** Node's TLS alone, with a client certificate, which answers whatever it is sent. */
async function bare(files: Wanted['tls']) {
  const server = tls.createServer({ ...files, requestCert: true, rejectUnauthorized: true })
  const answer = Buffer.from([0x20, 2, 0, 0])
  server.on('secureConnection', (socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy()) // the other end has gone
    socket.on('data', () => socket.write(answer))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { port: (server.address() as AddressInfo).port }
}

process.once('message', (wanted: Wanted) => {
  void (async () => {
    const { port } =
      wanted.kind === 'ours'
        ? await ours(wanted.connection, wanted.tls, wanted.most)
        : await bare(wanted.tls)
    process.on('message', () => process.send?.({ memory: memory() }))
    process.send?.({ port })
  })()
})
