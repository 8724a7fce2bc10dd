import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connectDevice,
  type Credentials,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  until,
} from '../platform-testing.ts'

const org = 'exor.closing'
const below = 'exor.closing.below'
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 50 })
})
afterAll(() => platform.close())

const register = async (orgResourceId: string) => {
  const deviceId = newDeviceId()
  const facts = { realm: 'exor', groups: [], configuration: null }
  platform.register.devices.set(deviceId, { label: deviceId, orgResourceId, ...facts })
  return pair(platform, orgResourceId, deviceId)
}
const line = async (credentials: Credentials) => {
  const client = await connectDevice(credentials)
  let isOpen = true
  client.once('close', () => {
    isOpen = false
  })
  return { client, isOpen: () => isOpen }
}
const letIn = (credentials: Credentials) =>
  until(async () => {
    const client = await connectDevice(credentials).catch(() => undefined)
    await client?.endAsync(true)
    return client && true
  }, 'the device to be let in')
const refusal = (credentials: Credentials) =>
  expect(connectDevice(credentials)).rejects.toThrow(/refused|authorized/i)

test('devices of a deleted organization are cut off, and let in when it comes back [C-20]', async () => {
  const inside = [await register(org), await register(below)] as const
  const outside = await register('exor.closing-not')
  const cut = await Promise.all(inside.map(line))
  const other = await line(outside)

  const at = Date.now()
  await platform.tellOrganizations('organizationDeleted', at, org, below)
  await until(() => cut.every(({ isOpen }) => !isOpen()) || undefined, 'the end of the lines')
  for (const credentials of inside) await refusal(credentials)
  expect(other.isOpen()).toBe(true)
  await letIn(outside)

  await platform.tellOrganizations('organizationRestored', at + 1, org, below)
  for (const credentials of inside) await letIn(credentials)
  await other.client.endAsync(true)
})

test('a deletion after a restoration stands, in whatever order they are heard', async () => {
  const again = 'exor.again'
  const credentials = await register(again)
  const at = Date.now()
  await platform.tellOrganizations('organizationDeleted', at + 2, again)
  await until(
    () =>
      connectDevice(credentials).then(
        (client) => client.endAsync(true),
        () => true as const,
      ),
    'the deletion',
  )
  await platform.tellOrganizations('organizationRestored', at + 1, again)
  // Heard in order: once the second is known, the first was.
  await platform.tellOrganizations('organizationRestored', at + 1, 'exor.marker')
  const known = async () => {
    const { rows } = await platform.database.pool.query<{ resource_id: string; closed: boolean }>(
      'select resource_id, closed from platform.organization_state where resource_id = any($1)',
      [[again, 'exor.marker']],
    )
    return new Map(rows.map((row) => [row.resource_id, row.closed]))
  }
  const states = await until(async () => {
    const found = await known()
    return found.has('exor.marker') ? found : undefined
  }, 'the restorations')
  expect(states.get(again)).toBe(true)
  await refusal(credentials)
})

test('a device of a deleted organization gets no certificate', async () => {
  const closed = 'exor.no-pairing'
  const { deviceId, key } = await (async () => {
    const id = newDeviceId()
    const facts = { realm: 'exor', groups: [], configuration: null }
    platform.register.devices.set(id, { label: id, orgResourceId: closed, ...facts })
    const params = { org: closed, deviceId: id }
    const owner = platform.member('owner', closed)
    const { activationKey } = await owner.issueActivationKey({ params, body: {} })
    return { deviceId: id, key: activationKey }
  })()
  const lookUp = () =>
    fetch(`${platform.site.origin}/pairing/api/v1/?activationKey=${key}&serialNumber=`)
  const paired = (await (await lookUp()).json()) as { apiKey: string }
  await platform.tellOrganizations('organizationDeleted', Date.now(), closed)
  const refused = await until(async () => {
    const answer = await lookUp()
    return answer.status === 200 ? undefined : answer
  }, 'the refusal')
  expect(await refused.json()).toMatchObject({ code: 'platform.activation_key_unknown' })
  const where = await fetch(`${platform.site.origin}/pairing/v1/exor/devices/${deviceId}`, {
    headers: { authorization: `Bearer ${paired.apiKey}` },
  })
  expect(where.status).toBe(401)
})
