import { addDevice, type Calls, makePreset } from '../../e2e/src/calls.ts'
import { connectDevice, pair, type Paired } from '../../e2e/src/device.ts'
import { type GroupServer, owner } from '../../e2e/src/server-group.ts'

const label = 'Growth'
/** Model path of the value that the devices send. */
export const modelPath = `${label}:1/double`

export type PlantDevice = Paired & { deviceId: string; base: string }
export type Plant = Awaited<ReturnType<typeof makePlant>>

/**
 * Devices with one preset that are paired at a server, and the topic of the value that they send. Those
 * that charts show have values until `from`.
 */
export async function makePlant(call: Calls, server: GroupServer, count: number, charts: number) {
  const { organization } = owner
  const presetId = await makePreset(call, organization, label)
  const make = async (n: number): Promise<PlantDevice> => {
    const body = { label: `${label} ${n}`, presetId }
    const { deviceId, activationKey } = await addDevice(call, organization, body)
    const paired = await pair(server.own, activationKey)
    return { ...paired, deviceId, base: `${paired.realm}/${paired.logicalId}` }
  }
  const made: PlantDevice[] = []
  const all = count + charts
  for (let from = 0; from < all; from += 8) {
    const some = Array.from({ length: Math.min(8, all - from) }, (_, at) => make(from + at))
    made.push(...(await Promise.all(some)))
  }
  const [devices, charted] = [made.slice(0, count), made.slice(count)]
  const [first] = devices
  if (!first) throw new Error('a plant without devices')
  const from = Math.floor(Date.now() / 60_000) * 60_000 - halfHours * halfHourMs
  for (const { deviceId } of charted) await storePast(call, deviceId, from)
  return { devices, charted, first, topic: await topicOf(first, server), from }
}

/** Topic of the value below the base of each device: it depends on the preset only. */
async function topicOf(paired: PlantDevice, server: GroupServer) {
  const device = await connectDevice({ ...paired, broker: `mqtts://localhost:${server.mqttPort}` })
  const leaf = await device.leafOf('tag.double')
  await device.close()
  const topic = leaf?.mapping?.device_endpoint
  if (topic === undefined) throw new Error('the configuration names no topic')
  return topic
}

export const halfHourMs = 1_800_000
/** Number of half hours whose values are sent one after the other, so that none is late. */
const halfHours = 12

/** Stores a value a minute of the 18 hours before a time. */
async function storePast(call: Calls, deviceId: string, until: number) {
  const data = Array.from({ length: 18 * 60 }, (_, n): [number, number] => [
    until - (n + 1) * 60_000,
    20 + Math.sin(n / 50),
  ])
  const path = `platform/api/v1/organizations/${owner.organization}/devices/bulkInsertTags`
  await call('POST', path, [{ deviceId, modelPath, data }])
}
