import { serialize } from 'bson'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll } from 'vitest'
import {
  configurationText,
  connectDevice,
  type Credentials,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
} from './platform-testing.ts'

export const org = 'exor'
const configuration = configurationText({ temperature: { type: 'double' } })
/** Time for which a device may be away before it counts as disconnected, and no look at rights by time. */
const timings = { graceMs: 50, recheckMs: 3_600_000 }

const made: TestPlatform[] = []
/** Starts two processes of the platform on one database before the tests of a file, and ends them after. */
export function useTwoProcesses() {
  beforeAll(async () => {
    const first = await testPlatform(timings)
    made.push(first)
    made.push(await testPlatform(timings, undefined, undefined, first))
  })
  afterAll(async () => {
    for (const platform of made.splice(0).toReversed()) await platform.close()
  })
}
const at = (place: number) => {
  const platform = made[place]
  if (!platform) throw new Error('the processes are not started yet')
  return platform
}
/** The two processes, while the tests of a file run. */
export const two = {
  get first() {
    return at(0)
  },
  get second() {
    return at(1)
  },
}

/** A paired device in an organization. */
export async function paired(organization = org) {
  const id = newDeviceId()
  const facts = { realm: 'exor', groups: [], configuration }
  two.first.register.devices.set(id, { label: id, orgResourceId: organization, ...facts })
  return { id, credentials: await pair(two.first, organization, id) }
}

/** The device's line to one of the two. */
export async function connectTo(platform: TestPlatform, credentials: Credentials) {
  const client = await connectDevice({ ...credentials, port: platform.site.mqttPort })
  let isOpen = true
  client.once('close', () => {
    isOpen = false
  })
  return { client, base: credentials.base, isOpen: () => isOpen }
}
/** Both of them. */
export const both = () => [two.first, two.second]

/** Paired devices, as many at each of the two. */
export async function devicesAtBoth(organization: string, ofEach: number) {
  const devices = []
  for (const platform of both())
    for (let n = 0; n < ofEach; n += 1) {
      const { id, credentials } = await paired(organization)
      devices.push({ id, credentials, line: await connectTo(platform, credentials) })
    }
  return devices
}

type Connected = { line: { client: MqttClient; isOpen: () => boolean } }
/** Waits until all lines are ended. */
export const hungUp = (devices: readonly Connected[]) =>
  until(() => devices.every(({ line }) => !line.isOpen()), 'the ends of the lines')
/** Ends lines as devices do. */
export const goAway = (...devices: readonly Connected[]) =>
  Promise.all(devices.map(({ line }) => line.client.endAsync(true)))

/** Payload of a value with its time. */
export const bson = (v: number, t = Date.now()) => Buffer.from(serialize({ v, t: new Date(t) }))
/** Sends a value, and waits until it is acknowledged. */
export const send = ({ client, base }: { client: MqttClient; base: string }, v: number) =>
  client.publishAsync(topicOf(base, 'temperature'), bson(v), { qos: 1 })
/** Newest temperature of a device, as a process answers. */
export const newestAt = async (platform: TestPlatform, deviceId: string) => {
  const [series] = await platform.member('ann', org).series({ params: { org, deviceId } })
  return series?.last?.v
}

/** Connection of a device, as a process answers. */
export const stateOf = async (platform: TestPlatform, deviceId: string) =>
  platform.member('ann', org).connections({ params: { org, deviceId }, query: {} })
