import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, makeDevice, signInByHttp } from './calls.ts'
import { connectDevice, pair, type Paired, reportWrites } from './device.ts'
import { watchValues } from './live.ts'
import { owner, startServerGroup } from './server-group.ts'

// Several whole servers on one database, with a real NATS between them; one after the other goes.

const { organization } = owner
let group: Awaited<ReturnType<typeof startServerGroup>>

beforeAll(async () => {
  group = await startServerGroup(3)
})
afterAll(() => group?.stop())

const at = (index: number) => {
  const server = group.servers[index]
  if (!server) throw new Error(`no server ${index}`)
  return server
}

/** The device connects to one of the servers, and reports what is written to it. */
async function connectTo(index: number, paired: Paired) {
  const device = await connectDevice({
    ...paired,
    broker: `mqtts://localhost:${at(index).mqttPort}`,
  })
  const sendValue = await reportWrites(device, 'tag.double')
  let isOpen = true
  device.client.once('close', () => {
    isOpen = false
  })
  return { ...device, sendValue, isOpen: () => isOpen }
}

type Connections = { connected: boolean; connections: unknown[] }
type Written = { data: { status: string; value: unknown }[] }

test('devices are reached from every server, while others are killed and stopped [C-21]', async () => {
  const calls: Calls[] = []
  for (const { own } of group.servers) calls.push(await signInByHttp(own, owner))
  const [first, , third] = calls
  if (!first || !third) throw new Error('no calls')
  const { deviceId, activationKey, path: pathOf } = await makeDevice(first, organization, 'Press')
  const place = `platform/api/v1/organizations/${organization}/devices/${deviceId}`
  const connection = () => first<Connections>('GET', `${place}/connections`)
  const write = (call: Calls, v: number) =>
    call<Written>('POST', `${place}/tags`, {
      data: [{ modelPath: pathOf('double'), v }],
      timeoutMs: 30_000,
    })
  const staysConnected = async () => {
    const { connected, connections } = await connection()
    expect({ connected, times: connections.length }).toEqual({ connected: true, times: 1 })
  }

  const paired = await pair(at(0).own, activationKey)
  const second = await connectTo(1, paired)
  await expect.poll(async () => (await connection()).connected).toBe(true)

  // Written from the third, seen at the first, while the device is connected to the second.
  const watched = { device: deviceId, path: pathOf('double') }
  const live = await watchValues(at(0).own, owner, watched)
  const { data } = await write(third, 21.5)
  expect(data).toMatchObject([{ status: 'confirmed', value: 21.5 }])
  await live.seen(21.5)

  /** Its server has gone: it comes back at another one, and is seen from the first. */
  const moves = async (from: typeof second, to: number, v: number) => {
    await expect.poll(from.isOpen).toBe(false)
    const device = await connectTo(to, paired)
    await device.sendValue(v)
    await live.seen(v)
    await staysConnected()
    return device
  }
  await at(1).kill()
  const next = await moves(second, 2, 22.5)
  await expect.poll(() => write(first, 23.5)).toMatchObject({ data: [{ status: 'confirmed' }] })
  await at(2).stop()
  const last = await moves(next, 0, 24.5)
  live.ws.close()
  await last.close()
  await expect.poll(async () => (await connection()).connected).toBe(false)
})

test('a server that cannot reach the one that runs does not start, and says what to set', async () => {
  await expect(group.add({ NATS_URL: '' })).rejects.toThrow('Set NATS_URL')
})
