import { once } from 'node:events'
import tls from 'node:tls'
import mqttPacket from 'mqtt-packet'

type Session = { port: number; ca: string; base: string; cert: string; key: string }

/** Socket of a device over which an MQTT session has begun; throws when it is refused or lost before. */
export async function openSession({ port, ca, base, cert, key }: Session, signal?: AbortSignal) {
  const socket = tls.connect({ port, host: '127.0.0.1', ca, cert, key })
  socket.setNoDelay(true)
  const given = signal ? { signal } : {}
  const ended = once(socket, 'close', given).then(() => {
    throw new Error('the connection has ended')
  })
  await Promise.race([once(socket, 'secureConnect', given), ended])
  socket.write(
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: base,
      clean: true,
      keepalive: 0,
    }),
  )
  await Promise.race([once(socket, 'data', given), ended])
  ended.catch(() => undefined) // from here on its end is for who uses it
  return socket
}
