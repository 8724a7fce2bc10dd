import net from 'node:net'
import mqttPacket, { type Packet } from 'mqtt-packet'

type TestBroker = { port: number; close: () => Promise<void> }

/**
 * Part of an MQTT 3.1.1 broker that tests of the source need: exact topics, QoS 0 and 1, no
 * retained messages.
 */
export async function startTestBroker(port = 0): Promise<TestBroker> {
  const subscribers = new Map<net.Socket, Set<string>>()
  const server = net.createServer((socket) => {
    const parser = mqttPacket.parser({ protocolVersion: 4 })
    const send = (packet: Packet, to = socket) => to.write(mqttPacket.generate(packet))
    const topics = new Set<string>()
    subscribers.set(socket, topics)
    parser.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connect') send({ cmd: 'connack', returnCode: 0, sessionPresent: false })
      if (packet.cmd === 'pingreq') send({ cmd: 'pingresp' })
      if (packet.cmd === 'subscribe') {
        for (const { topic } of packet.subscriptions) topics.add(topic)
        const granted = packet.subscriptions.map(() => 0)
        send({ cmd: 'suback', granted, messageId: packet.messageId ?? 0 })
      }
      if (packet.cmd !== 'publish') return
      if (packet.qos > 0) send({ cmd: 'puback', messageId: packet.messageId ?? 0 })
      for (const [other, wanted] of subscribers) {
        if (!wanted.has(packet.topic)) continue
        const { topic, payload } = packet
        send({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, other)
      }
    })
    socket.on('data', (data) => parser.parse(data))
    socket.on('error', () => undefined) // `close` follows
    socket.on('close', () => subscribers.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as net.AddressInfo
  return {
    port: address.port,
    async close() {
      for (const socket of subscribers.keys()) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
