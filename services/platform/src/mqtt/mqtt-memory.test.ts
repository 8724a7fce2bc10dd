import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import mqttPacket from 'mqtt-packet'
import { expect, test } from 'vitest'
import { testEndpoint, type TestEndpoint } from './mqtt-testing.ts'

/** A client that has connected in memory and said CONNECT; `answer` is the first that it is told. */
async function openInMemory(server: TestEndpoint, base: string) {
  const certificate = new X509Certificate((await server.files(base)).cert).toLegacyObject()
  const [client, socket] = duplexPair()
  const proven = { remoteAddress: '10.0.0.7', getPeerCertificate: () => certificate }
  server.endpoint.admit(Object.assign(socket, proven))
  client.write(
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: base,
      clean: true,
      keepalive: 0,
    }),
  )
  const answer = once(client, 'data').then(([bytes]) => [...(bytes as Buffer)])
  return { socket, answer }
}

const connack = (code: number) => [0x20, 2, 0, code]

test('a connection in memory is taken as one over TLS', async () => {
  const server = await testEndpoint()
  const { socket, answer } = await openInMemory(server, 'exor/pump')
  expect(await answer).toEqual(connack(0))
  expect(server.events).toEqual(['exor/pump came'])
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
  expect(server.events).toEqual(['exor/pump came', 'exor/pump went'])
  await server.endpoint.close()
})

test('a device that waits too long to be looked up hears that the server is busy', async () => {
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  const server = await testEndpoint({
    limits: { lookups: 1, lookupMs: 0 },
    lookedUp: (base) => {
      asked.push(base)
      return gate.promise
    },
  })
  const first = await openInMemory(server, 'exor/pump')
  const second = await openInMemory(server, 'exor/oven')
  gate.resolve()
  expect(await first.answer).toEqual(connack(0))
  expect(await second.answer).toEqual(connack(3))
  expect(asked).toEqual(['exor/pump'])
  const third = await openInMemory(server, 'exor/oven')
  expect(await third.answer).toEqual(connack(0))
  await server.endpoint.close()
})
