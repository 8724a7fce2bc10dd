import { X509Certificate } from 'node:crypto'
import type { PeerCertificate } from 'node:tls'
import { isControlEndpoint } from '@longreach/device-protocol/topics'
import type { Running } from '@longreach/kit/service'
import { loadAuthority, serverNames } from '../pairing/certificate-authority.ts'
import { baseOf, type Device } from '../devices/device.ts'
import { saveDevice } from '../devices/device-state-store.ts'
import { createMqttEndpoint } from './mqtt-endpoint.ts'
import type { Message } from './mqtt-session.ts'
import type { PlatformDeps, Runtime } from '../runtime.ts'

type Identity = { base: string; device: Device }

const minuteMs = 60_000
/** A server certificate is renewed this long before its end. */
const renewBeforeMs = 30 * 24 * 60 * minuteMs

/** Listen for devices on the site's MQTT port (0: a free one, written back) until closed. */
export async function startMqtt(deps: PlatformDeps, runtime: Runtime): Promise<Running> {
  const { site, log, db, now } = deps
  const { directory, ingest, sequence, presence, closedOrganizations } = runtime
  const authority = await loadAuthority(deps)
  let own = await authority.serverCertificate(serverNames(site.origin))
  const tls = () => ({ key: own.key, cert: own.cert, ca: authority.trusted() })

  const identify = async (certificate: PeerCertificate): Promise<Identity | undefined> => {
    const verdict = await authority.verify(new X509Certificate(certificate.raw).toString())
    if (!verdict.valid) {
      log.info({ cause: verdict.cause }, 'a device certificate was refused')
      return undefined
    }
    const device = await directory.get(verdict.logicalId)
    if (!device || device.realm !== verdict.realm) return undefined
    await saveDevice(db, device, now())
    return { base: baseOf(device), device }
  }

  const onPublish = ({ device }: Identity, message: Message): Promise<void> => {
    device.received.messages += 1
    device.received.bytes += message.payload.length
    const target = device.byTopic.get(message.topic)
    if (target) return ingest.value(target, message.topic, message.payload)
    return sequence.control(device, message)
  }

  await closedOrganizations.load(db)
  const endpoint = createMqttEndpoint<Identity>({
    tls: tls(),
    identify,
    isLetIn: ({ device }) => !closedOrganizations.has(device.org),
    log,
    onPublish,
    // What only the platform says must come from it: an alarm command that it did not send kills devices.
    isRelayed: ({ device }, topic) =>
      device.byTopic.has(topic) || !isControlEndpoint(topic.slice(baseOf(device).length)),
    onForeign: ({ device }, { topic, payload }) =>
      void ingest.refuse(device, topic, payload, 'the topic is not of this device'),
    onConnect: ({ device }, { ip }) => presence.came(device.id, ip),
    onDisconnect: ({ device }) => presence.went(device.id),
  })
  runtime.mqtt.endpoint = endpoint
  await presence.wakeUp()
  site.mqttPort = await endpoint.listen(site.mqttPort)
  await presence.takeStock()

  let trusted = authority.trusted().join('')
  const renew = async () => {
    await authority.refresh()
    const ending = own.notAfter.getTime() - now().getTime() < renewBeforeMs
    const rotated = trusted !== authority.trusted().join('')
    if (!ending && !rotated) return
    trusted = authority.trusted().join('')
    own = await authority.serverCertificate(serverNames(site.origin))
    endpoint.renew(tls())
  }
  runtime.mqtt.renew = renew
  const routine = setInterval(() => {
    Promise.all([renew(), runtime.count(), presence.stillThere()]).catch((error: unknown) =>
      log.error(error, 'the MQTT endpoint could not do its routine'),
    )
  }, minuteMs)
  return {
    async close() {
      clearInterval(routine)
      await runtime.close()
    },
  }
}
