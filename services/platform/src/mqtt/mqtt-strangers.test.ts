import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../platform-testing.ts'
import { rawClient, testEndpoint } from './mqtt-testing.ts'

function bare(port: number, said?: Buffer) {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => undefined) // a reset is an end too
  socket.resume()
  if (said) socket.write(said)
  return { socket, opened: once(socket, 'connect'), closed: once(socket, 'close') }
}

test('devices connect while 520 bare sockets of their network are opened again and again', async () => {
  const server = await testEndpoint()
  let open = true
  const sockets = new Set<net.Socket>()
  let reopened = 0
  const flood = () => {
    const { socket } = bare(server.port)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      reopened += 1
      if (open) flood()
    })
  }
  for (let n = 0; n < 520; n++) flood()
  await Promise.all([...sockets].map((socket) => once(socket, 'connect')))
  const answers: (number | undefined)[] = []
  for (let n = 0; n < 20; n++) {
    const client = await rawClient(server.port, await server.files(`exor/oven${n}`))
    answers.push((await client.connect()).returnCode)
  }
  expect(answers).toEqual(Array.from({ length: 20 }, () => 0))
  open = false
  for (const socket of sockets) socket.destroy()
  await server.endpoint.close()
  expect(reopened).toBeGreaterThan(0)
})

test('of too many silent sockets of one network the oldest goes, and none stays for long', async () => {
  const server = await testEndpoint({ limits: { silentOfNetwork: 3, helloMs: 1_000 } })
  onTestFinished(() => server.endpoint.close())
  const sockets = [bare(server.port)]
  await sockets[0]?.opened
  for (let n = 0; n < 3; n++) {
    const next = bare(server.port)
    await next.opened
    sockets.push(next)
  }
  await sockets[0]?.closed
  const client = await rawClient(server.port, await server.files('exor/oven'))
  expect((await client.connect()).returnCode).toBe(0)
  client.socket.destroy()
  await Promise.all(sockets.map(({ closed }) => closed))
})

test('when all places are taken, a newcomer takes one of whoever has the most', async () => {
  const server = await testEndpoint({ limits: { silent: 5, silentOfNetwork: 100 } })
  onTestFinished(() => server.endpoint.close())
  const first = bare(server.port)
  await first.opened
  for (let n = 0; n < 5; n++) await bare(server.port).opened
  await first.closed
  const client = await rawClient(server.port, await server.files('exor/oven'))
  expect((await client.connect()).returnCode).toBe(0)
  client.socket.destroy()
})

test('a socket that does not speak TLS is closed at once', async () => {
  const server = await testEndpoint({ limits: { helloMs: 600_000 } })
  onTestFinished(() => server.endpoint.close())
  for (const said of [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.from([0x16, 3, 1, 0xff, 0xff]),
  ]) {
    const { socket, closed } = bare(server.port, said)
    await closed
    expect(socket.destroyed).toBe(true)
  }
})

test('sockets that begin a handshake and stop do not keep a device out', async () => {
  const server = await testEndpoint({ limits: { handshakesOfNetwork: 2, connectMs: 600_000 } })
  onTestFinished(() => server.endpoint.close())
  const hello = await recordedHello()
  let gone = 0
  for (let n = 0; n < 6; n++) void bare(server.port, hello).closed.then(() => (gone += 1))
  await until(() => gone === 4 || undefined, 'four that made place for others')
  const client = await rawClient(server.port, await server.files('exor/oven'))
  expect((await client.connect()).returnCode).toBe(0)
  client.socket.destroy()
})

test('a certificate without a CONNECT has few places, and other certificates their own', async () => {
  const limits = { unauthenticatedOfCertificate: 2, connectMs: 600_000 }
  const server = await testEndpoint({ limits })
  onTestFinished(() => server.endpoint.close())
  const files = await server.files('exor/mute')
  const first = await rawClient(server.port, files)
  await rawClient(server.port, files)
  await rawClient(server.port, files)
  await first.closed
  const client = await rawClient(server.port, await server.files('exor/oven'))
  expect((await client.connect()).returnCode).toBe(0)
  client.socket.destroy()
})

/** The first bytes that a TLS client sends. */
async function recordedHello() {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const recorder = net.createServer((socket) => {
    socket.on('error', () => undefined) // its client is closed below
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes)
      socket.destroy()
    })
  })
  recorder.listen(0)
  await once(recorder, 'listening')
  const { port } = recorder.address() as net.AddressInfo
  tls.connect({ port, host: '127.0.0.1' }).on('error', () => undefined) // it is never answered
  const hello = await promise
  recorder.close()
  return hello
}
