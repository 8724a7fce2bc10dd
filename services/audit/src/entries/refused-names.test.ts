import { core } from '@longreach/core'
import { identityForTests } from '@longreach/core/testing'
import { person, type TestServer, testNow, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditContract } from '../contract.ts'
import { clearTrail, publishRecords, nordwerkAdmits, record } from '../records-for-tests.ts'
import { audit } from '../service.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer([identityForTests, core, audit], { admit: nordwerkAdmits })
})
afterAll(() => server.close())
beforeEach(() => clearTrail(server))

const auditor = person('auditor', 'nordwerk')
const labels = async (organization: string) => {
  const calls = server.as(auditor, auditContract)
  const { data } = await calls.search({ query: { organization, outcome: 'refused' } })
  const one = await calls.entry({ params: { id: data[0]?.id ?? 0 }, query: { organization } })
  expect(one.label).toBe(data[0]?.label)
  return data.map(({ label }) => label)
}
const oven = 'QGMm3zTb4nO3Fv-B367DMQ'
const refused = (more: Parameters<typeof record>[0]) =>
  record({ label: '', outcome: 'refused', status: 403, code: 'auth.missing_permission', ...more })
const earlier = (minutes: number) => new Date(testNow.getTime() - minutes * 60_000)

test('a refused call is shown with the name of what it was refused on, the one of last', async () => {
  await publishRecords(
    server,
    record({ id: oven, label: 'Oven', at: earlier(9) }),
    record({ id: oven, label: 'Oven 7', at: earlier(8) }),
    refused({ id: oven, call: 'mappings.deleteDevice', action: 'delete' }),
  )
  expect(await labels('nordwerk')).toEqual(['Oven 7'])
})

test('a value of a device, and a preset by the right of its model, have a name too', async () => {
  const preset = 'aaaaaaaaaaaaaaaaaaaaaa'
  await publishRecords(
    server,
    record({ id: oven, label: 'Oven 7', at: earlier(9) }),
    record({ id: preset, resource: 'presets', label: 'Ovens', at: earlier(8) }),
    refused({ id: `${oven}/Oven:1/speed`, call: 'platform.writeTag', at: earlier(2) }),
    refused({ id: preset, resource: 'models', call: 'mappings.deletePreset', at: earlier(1) }),
  )
  expect(await labels('nordwerk')).toEqual(['Ovens', 'Oven 7'])
})

test('a number names the same kind of thing only', async () => {
  const users = { resource: 'users', id: '3' }
  await publishRecords(
    server,
    record({ ...users, call: 'core.createUser', label: 'Bruno', at: earlier(9) }),
    refused({ ...users, call: 'core.deleteUser', at: earlier(2) }),
    refused({ ...users, call: 'core.deleteInvitation', at: earlier(1) }),
  )
  expect(await labels('nordwerk')).toEqual(['', 'Bruno'])
})

test('a name that stands in lines of another organization is not told', async () => {
  const elsewhere = { organization: 'nordwerk.south', at: earlier(9) }
  await publishRecords(
    server,
    record({ id: oven, label: 'Secret oven', ...elsewhere }),
    refused({ id: oven, organization: 'nordwerk.north' }),
  )
  expect(await labels('nordwerk.north')).toEqual([''])
  expect(await labels('nordwerk.*')).toEqual(['Secret oven'])
})
