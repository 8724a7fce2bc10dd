import { randomUUID } from 'node:crypto'
import { openDatabase } from '@longreach/kit/database'
import { openTelemetry } from '@longreach/telemetry/store'
import Fastify from 'fastify'
import type pg from 'pg'
import { createDirectory } from '../../services/platform/src/devices/device-directory.ts'
import { createIngest, defaultWindow } from '../../services/platform/src/values/ingest.ts'
import { createMqttEndpoint } from '../../services/platform/src/mqtt/mqtt-endpoint.ts'
import { configurationText } from '../../services/platform/src/platform-testing.ts'
import { topicOf } from '../../services/platform/src/platform-testing.ts'

type Tls = { key: string; cert: string; ca: string }

/** Endpoint, ingest and store as the product joins them, without the HTTP side. */
export async function ours(connection: pg.ClientConfig, tls: Tls, largestClient: number) {
  const { pool, close } = openDatabase({ ...connection, max: 10 }, () => undefined) // the server stops after the bench
  const telemetry = await openTelemetry({ pool })
  const { log } = Fastify()
  const configuration = configurationText({ value: { type: 'double' } })
  const org = randomUUID()
  const deviceForPlatform = async ({ params: { deviceId } }: { params: { deviceId: string } }) => ({
    deviceId,
    label: deviceId,
    realm: 'bench',
    orgResourceId: org,
    groups: [],
    configuration,
    facts: [],
  })
  const directory = createDirectory({
    mappings: { deviceForPlatform: Object.assign(deviceForPlatform, { key: 'bench' }) } as never, // the one call that is made
    log,
    moved: async () => undefined, // no device moves here
    read: () => undefined,
  })
  const now = () => new Date()
  const ingest = createIngest({ store: async () => telemetry, now, window: defaultWindow })
  const endpoint = createMqttEndpoint({
    tls,
    identify: async ({ subject }) => {
      const base = String(subject.CN)
      const device = await directory.get(base.split('/')[1] ?? '')
      return device && { base, device }
    },
    onPublish: ({ device }, { topic, payload }) => {
      const target = device.byTopic.get(topic)
      return target
        ? ingest.value(target, topic, payload)
        : ingest.refuse(device, topic, payload, 'unknown')
    },
    onForeign: () => undefined,
    onConnect: () => () => undefined,
    limits: { unauthenticated: largestClient + 100 },
    log,
  })
  const port = await endpoint.listen(0)
  return {
    port,
    topic: topicOf('', 'value'),
    settle: () => ingest.settled(),
    async rows() {
      const { rows, waiting } = await telemetry.storage()
      return rows + waiting
    },
    async close() {
      await endpoint.close()
      await telemetry.close()
      await close()
    },
  }
}
