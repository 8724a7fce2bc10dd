import { X509Certificate } from 'node:crypto'
import type { PeerCertificate } from 'node:tls'
import { isControlEndpoint } from '@longreach/device-protocol/topics'
import { loadAuthority, serverNames } from '../pairing/certificate-authority.ts'
import { baseOf, type Device } from '../devices/device.ts'
import { saveDevice } from '../devices/device-state-store.ts'
import { createMqttEndpoint } from '../mqtt/mqtt-endpoint.ts'
import type { Message } from '../mqtt/mqtt-session.ts'
import type { ClosedOrganizations } from '../organizations/closed-organizations.ts'
import type { Sequence } from '../control/device-sequence.ts'
import type { PlatformDeps } from '../deps.ts'
import { type AlarmSession, newAlarmSession } from '../device-alarms/alarm-session.ts'
import type { DeviceAlarms } from '../device-alarms/device-alarms.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import { endLostLines, loseLinesOfDead } from '../lines/lost-lines.ts'
import type { OwnLines } from '../lines/own-lines.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import { reason } from '../mqtt/mqtt-reasons.ts'
import type { RuleEngine } from '../rules/rule-engine.ts'
import type { Ingest } from '../values/ingest.ts'

/** Device of a connection. */
type Identity = { base: string; device: Device; session: AlarmSession }

/** A server certificate is renewed this long before its end. */
const renewBeforeMs = 30 * 24 * 3_600_000

/** States of the parts that receive messages of devices. */
type States = Pick<DevicesState, 'directory'> & {
  closedOrganizations: ClosedOrganizations
  lines: DeviceLines
  ownLines: OwnLines
  graceMs: number
  ingest: Ingest
  sequence: Sequence
  alarms: DeviceAlarms
  rules: RuleEngine
}

/** Listen for devices on the site's MQTT port (0: a free one, written back). */
export async function startMqtt(deps: PlatformDeps, states: States) {
  const { site, log, db, now } = deps
  const { directory, ingest, sequence, alarms, ownLines, closedOrganizations, lines } = states
  const authority = await loadAuthority(deps)
  let own = await authority.serverCertificate(serverNames(site.origin))
  const tls = () => ({ key: own.key, cert: own.cert, ca: authority.trusted() })

  const identify = async (certificate: PeerCertificate): Promise<Identity | undefined> => {
    const verdict = await authority.verifyCertificate(new X509Certificate(certificate.raw))
    if (!verdict.valid) {
      log.info({ cause: verdict.cause }, 'a device certificate was refused')
      return undefined
    }
    const device = await directory.get(verdict.logicalId)
    if (!device || device.realm !== verdict.realm) return undefined
    await saveDevice(db, device, now())
    return { base: baseOf(device), device, session: newAlarmSession(certificate.serialNumber) }
  }

  const onPublish = ({ device, session }: Identity, message: Message): Promise<void> => {
    device.received.messages += 1
    device.received.bytes += message.payload.length
    const target = device.byTopic.get(message.topic)
    if (target) return ingest.value(target, message.topic, message.payload)
    return sequence.control(device, message, session)
  }

  await closedOrganizations.load(db)
  const endpoint = createMqttEndpoint<Identity>({
    tls: tls(),
    identify,
    isAdmitted: ({ device }) => !closedOrganizations.has(device.org),
    log,
    onPublish,
    // What only the platform says must come from it: an alarm command that it did not send kills devices.
    isRelayed: ({ device }, topic) =>
      device.byTopic.has(topic) || !isControlEndpoint(topic.slice(baseOf(device).length)),
    onForeign: ({ device }, { topic, payload }) =>
      void ingest.refuse(device, topic, payload, 'the topic is not of this device'),
    onConnect: ({ device, session }, { ip, clientId, end }) => {
      const line = { deviceId: device.id, clientId }
      const lineIsGone = ownLines.came(line, { ip, end: () => end(reason.takenOver) })
      const sessionIsGone = states.rules.came(device)
      alarms.came(device, session)
      return () => {
        sessionIsGone()
        lineIsGone()
      }
    },
  })
  lines.endpoint = endpoint
  // Before anybody may come: who was away for long was disconnected, whether or not it comes now.
  await loseLinesOfDead(db, { now: now(), graceMs: states.graceMs })
  await endLostLines(db)
  site.mqttPort = await endpoint.listen(site.mqttPort)

  let trusted = authority.trusted().join('')
  lines.renew = async () => {
    await authority.refresh()
    const ending = own.notAfter.getTime() - now().getTime() < renewBeforeMs
    const rotated = trusted !== authority.trusted().join('')
    if (!ending && !rotated) return
    trusted = authority.trusted().join('')
    own = await authority.serverCertificate(serverNames(site.origin))
    endpoint.renew(tls())
  }
}
