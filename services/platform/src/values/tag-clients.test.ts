import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../platform-testing.ts'

const deviceId = newDeviceId()
const org = 'exor'
const start = Date.parse('2026-01-05T00:00:00Z')
const minute = 60_000
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({}, () => new Date(start + 86_400_000))
  const configuration = configurationText({ level: { type: 'double' } })
  const facts = { label: 'Tank', realm: 'exor', orgResourceId: org, groups: [], configuration }
  platform.register.devices.set(deviceId, facts)
  const data = Array.from({ length: 600 }, (_, n): [number, number] => [start + n * minute, n])
  await platform.member('ann', org).bulkInsertTags({
    params: { org },
    query: {},
    body: [{ deviceId, modelPath: 'Probe:1/level', data }],
  })
})
afterAll(() => platform.close())

type Series = { modelPath: string; data: [number, number][] }
/** As a client writes it, with an address of its own. */
async function asked(search: string) {
  const url = `${platform.site.origin}${platformContract.base}/organizations/${org}/devices/${deviceId}/tags?${search}`
  const answer = await fetch(url, { headers: { authorization: platform.tokenOf('ann', org) } })
  return { status: answer.status, body: (await answer.json()) as Series[] }
}

test('sinceAfter is a flag about since, or a time of its own [C-20]', async () => {
  const phone = await asked(
    'modelPath=%2A%2A&since=2000-03-11T17:35:44.652Z&to=2050-01-01T00:00:00.000Z&sinceAfter=false&limit=1000&format=json&timestampFormat=unix',
  )
  expect(phone.status).toBe(200)
  expect(phone.body[0]?.data).toHaveLength(600)
  const range = `modelPath=**&since=${start + minute}&to=${start + 4 * minute}`
  const values = async (more: string) =>
    (await asked(`${range}${more}`)).body[0]?.data.map(([, v]) => v)
  expect(await values('')).toEqual([1, 2, 3])
  expect(await values('&sinceAfter=false')).toEqual([1, 2, 3])
  expect(await values('&sinceAfter=true')).toEqual([2, 3])
  expect(await values(`&sinceAfter=${start + 2 * minute}`)).toEqual([3])
  expect((await asked(`${range}&sinceAfter=perhaps`)).status).toBe(400)
})

test('steps are counted where there are values: 2000 to 2050 means all [C-20]', async () => {
  const aggregation = (type: string) =>
    encodeURIComponent(
      JSON.stringify({ type, sampling: { extent: 120, size: 2, unit: 'minutes' } }),
    )
  const all = 'since=2000-01-01T00:00:00Z&to=2050-01-01T00:00:00Z'
  const { status, body } = await asked(
    `modelPath=**&${all}&aggregation=${aggregation('average')}&timestampFormat=unix`,
  )
  expect(status).toBe(200)
  const steps = body[0]?.data ?? []
  expect(steps).toHaveLength(300)
  expect(steps[0]).toEqual([start, 0.5])
  expect(steps.at(-1)).toEqual([start + 598 * minute, 598.5])
  // Steps begin where they would in the whole range.
  const odd = await asked(
    `modelPath=**&since=2000-01-01T00:01:00Z&to=2050-01-01T00:00:00Z&aggregation=${aggregation('min')}`,
  )
  expect(odd.body[0]?.data[0]).toEqual([start - minute, 0])
  const second = encodeURIComponent(
    JSON.stringify({ type: 'min', sampling: { size: 1, unit: 'milliseconds' } }),
  )
  expect((await asked(`modelPath=**&${all}&aggregation=${second}`)).status).toBe(400)
})

test('a list of names that is too long is refused and not cut into pieces', async () => {
  const answer = await fetch(
    `${platform.site.origin}${platformContract.base}/organizations/${org}/devices/tags/query`,
    {
      method: 'POST',
      headers: {
        authorization: platform.tokenOf('ann', org),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        sources: [{ deviceId, modelPath: '**' }],
        filterStructFields: ','.repeat(1_900_000),
      }),
    },
  )
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('filterStructFields')
})
