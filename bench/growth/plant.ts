import { addDevice, type Calls, makePreset } from '../../e2e/src/calls.ts'
import { connectDevice, pair, type Paired } from '../../e2e/src/device.ts'
import { type GroupServer, owner } from '../../e2e/src/server-group.ts'

const label = 'Growth'
/** Model path of the value that the devices send. */
export const modelPath = `${label}:1/double`

export type PlantDevice = Paired & { deviceId: string; base: string }
export type Plant = Awaited<ReturnType<typeof makePlant>>

/** Devices with one preset that are paired at a server, and the topic of the value that they send. */
export async function makePlant(call: Calls, server: GroupServer, count: number) {
  const { organization } = owner
  const presetId = await makePreset(call, organization, label)
  const make = async (n: number): Promise<PlantDevice> => {
    const body = { label: `${label} ${n}`, presetId }
    const { deviceId, activationKey } = await addDevice(call, organization, body)
    const paired = await pair(server.own, activationKey)
    return { ...paired, deviceId, base: `${paired.realm}/${paired.logicalId}` }
  }
  const devices: PlantDevice[] = []
  for (let from = 0; from < count; from += 8) {
    const some = Array.from({ length: Math.min(8, count - from) }, (_, at) => make(from + at))
    devices.push(...(await Promise.all(some)))
  }
  const [first] = devices
  if (!first) throw new Error('a plant without devices')
  return { devices, first, topic: await topicOf(first, server) }
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

/** Stores a value a minute of the last day for a device. */
export async function storeDay(call: Calls, deviceId: string) {
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const data = Array.from({ length: 1_440 }, (_, n): [number, number] => [
    now - (n + 1) * 60_000,
    20 + Math.sin(n / 50),
  ])
  const path = `platform/api/v1/organizations/${owner.organization}/devices/bulkInsertTags`
  await call('POST', path, [{ deviceId, modelPath, data }])
}
