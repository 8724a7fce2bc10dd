import { usualMissing } from '@longreach/formula/missing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import type { FormulaFact } from '../devices/device-formulas.ts'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
  until,
} from '../platform-testing.ts'

const org = 'exor'
const start = Date.parse('2026-01-05T00:00:00Z')
let platform: TestPlatform
let ann: ReturnType<TestPlatform['member']>

beforeAll(async () => {
  platform = await testPlatform({}, () => new Date(start + 86_400_000))
  ann = platform.member('ann', org)
})
afterAll(() => platform.close())

const computed = (name: string, text: string, more: Partial<FormulaFact> = {}): FormulaFact => ({
  path: `Probe:1/${name}`,
  type: 'double',
  history: true,
  text,
  missing: usualMissing,
  ...more,
})
const configuration = configurationText({
  a: { type: 'double' },
  b: { type: 'double' },
  pump: { type: 'struct', properties: { speed: { type: 'integer' } } },
})

function device(formulas: FormulaFact[]) {
  const id = newDeviceId()
  const facts = { realm: 'exor', groups: [], configuration, label: 'Computing' }
  platform.register.devices.set(id, { ...facts, orgResourceId: org, formulas })
  return id
}
const bring = (deviceId: string, name: string, data: [number, unknown][]) =>
  ann.bulkInsertTags({
    params: { org },
    query: {},
    body: [{ deviceId, modelPath: `Probe:1/${name}`, data }],
  })
const read = async (deviceId: string, name: string) => {
  const query = { modelPath: `Probe:1/${name}`, since: start - 1_000_000 }
  const [found] = await ann.tags({ params: { org, deviceId }, query })
  return found?.data ?? []
}

test('a computed path gets a value when one of its inputs does, at that time [C-20]', async () => {
  const id = device([
    computed('sum', 'a + b'),
    computed('double', 'sum * 2', { type: 'integer' }),
    computed('fast', 'pump/speed > 10', { type: 'boolean' }),
  ])
  await bring(id, 'a', [[start, 1]])
  expect(await read(id, 'sum')).toEqual([])
  await bring(id, 'b', [[start + 1, 10]])
  await bring(id, 'a', [[start + 2, 2.5]])
  expect(await read(id, 'sum')).toEqual([
    [start + 1, 11],
    [start + 2, 12.5],
  ])
  expect(await read(id, 'double')).toEqual([
    [start + 1, 22],
    [start + 2, 25],
  ])
  await bring(id, 'pump', [[start, { speed: 12 }]])
  expect(await read(id, 'fast')).toEqual([[start, true]])
  const listed = await ann.series({ params: { org, deviceId: id } })
  expect(listed.find(({ modelPath }) => modelPath === 'Probe:1/sum')?.last?.v).toBe(12.5)
  const write = ann.writeTags({
    params: { org, deviceId: id },
    body: { data: [{ modelPath: 'Probe:1/sum', v: 1 }] },
  })
  await expect(write).rejects.toMatchObject({ code: 'platform.not_writable' })
})

test('what is missing is as the preset says: the last value, nothing, or 0', async () => {
  const id = device([
    computed('last', 'a + b'),
    computed('none', 'a + b', { missing: { fill: 'USE_NULL', padding: 'NULL' } }),
    computed('zero', 'a + b', { missing: { fill: 'USE_ZERO', padding: 'ZERO' } }),
  ])
  await bring(id, 'a', [[start, 1]])
  await bring(id, 'b', [[start + 5, 10]])
  expect(await read(id, 'last')).toEqual([[start + 5, 11]])
  expect(await read(id, 'none')).toEqual([])
  expect(await read(id, 'zero')).toEqual([
    [start, 1],
    [start + 5, 10],
  ])
})

test('a late value does not bend the newer ones, and what follows it is computed again', async () => {
  const id = device([computed('sum', 'a + b'), computed('step', 'delta(a)')])
  await bring(id, 'a', [
    [start, 1],
    [start + 100, 2],
  ])
  await bring(id, 'b', [[start + 100, 10]])
  await bring(id, 'b', [[start + 50, 20]])
  await bring(id, 'a', [[start + 60, 5]])
  const expected = [
    [start + 50, 21],
    [start + 60, 25],
    [start + 100, 12],
  ]
  const steps = [
    [start + 60, 4],
    [start + 100, -3],
  ]
  const is = async (name: string, rows: unknown) =>
    JSON.stringify(await read(id, name)) === JSON.stringify(rows)
  await until(async () => (await is('sum', expected)) || undefined, 'sums after late values')
  await until(async () => (await is('step', steps)) || undefined, 'steps after late values')
})

const minute = 60_000
const sampled = { sampling: { size: 1, unit: 'minutes' as const } }
const becomes = (deviceId: string, name: string, rows: unknown) =>
  until(
    async () => JSON.stringify(await read(deviceId, name)) === JSON.stringify(rows) || undefined,
    `${name} is ${JSON.stringify(rows)}`,
  )

test('a sampled formula gives one value of each step that is over, and again when a value comes late [C-20] [C-21]', async () => {
  const id = device([
    computed('sum', 'a + b', { windows: sampled }),
    computed('most', 'a', { windows: { ...sampled, figure: { name: 'max' } } }),
    computed('twice', 'sum * 2 + 0 * a'),
  ])
  await bring(id, 'b', [[start, 100]])
  await bring(id, 'a', [
    [start + 1_000, 1],
    [start + 2_000, 3],
    [start + 5 * minute, 10],
    // The clock stands at the end of this day: the step is not over.
    [start + 1_440 * minute, 7],
  ])
  await becomes(id, 'sum', [
    [start, 102],
    [start + 5 * minute, 110],
  ])
  await becomes(id, 'most', [
    [start, 3],
    [start + 5 * minute, 10],
  ])
  await bring(id, 'a', [[start + 3_000, 8]])
  await becomes(id, 'sum', [
    [start, 104],
    [start + 5 * minute, 110],
  ])
  // What follows from it is computed again as well.
  await until(async () => {
    const rows = await read(id, 'twice')
    return rows.some(([t, v]) => t === start + 3_000 && v === 208) || undefined
  }, 'what a late step changes')
})

test('results are reduced over stretches beside each other, or over those that end at each', async () => {
  const reduced = (mode: 'SCALAR' | 'MOVING', size: number) => ({
    ...sampled,
    window: { mode, figure: { name: 'sum' as const }, span: { size, unit: 'minutes' as const } },
  })
  const id = device([
    computed('scalar', 'a', { windows: reduced('SCALAR', 2) }),
    computed('moving', 'a', { windows: reduced('MOVING', 2) }),
    computed('raw', 'a', {
      windows: {
        window: { mode: 'MOVING', figure: { name: 'max' }, span: { size: 90, unit: 'seconds' } },
      },
    }),
  ])
  const at = (index: number, v: number): [number, number] => [start + index * minute, v]
  await bring(id, 'a', [at(0, 4), at(1, 2), at(2, 3), at(3, 5)])
  await becomes(id, 'scalar', [at(0, 6), at(2, 8)])
  await becomes(id, 'moving', [at(0, 4), at(1, 6), at(2, 5), at(3, 8)])
  await becomes(id, 'raw', [at(0, 4), at(1, 4), at(2, 3), at(3, 5)])
})

test('steps that ended while nobody computed are found when the device comes back', async () => {
  const id = device([computed('mean', 'a', { windows: sampled })])
  await bring(id, 'a', [[start, 1]])
  await becomes(id, 'mean', [[start, 1]])
  await platform.change(id, { formulas: [] })
  await platform.settle()
  await bring(id, 'a', [[start + minute, 2]])
  await platform.change(id, { formulas: [computed('mean', 'a', { windows: sampled })] })
  await platform.settle()
  await bring(id, 'a', [[start + 5 * minute, 3]])
  await becomes(id, 'mean', [
    [start, 1],
    [start + minute, 2],
    [start + 5 * minute, 3],
  ])
})

test('a formula that is changed, needs itself or is broken leaves the others as they are', async () => {
  const id = device([
    computed('p', 'q + 1'),
    computed('q', 'p + 1'),
    computed('bad', 'a +'),
    computed('good', 'a * 2'),
  ])
  await bring(id, 'a', [[start, 3]])
  expect(await read(id, 'good')).toEqual([[start, 6]])
  expect(await read(id, 'p')).toEqual([])
  await platform.change(id, { formulas: [computed('good', 'a * 3')] })
  await platform.settle()
  await bring(id, 'a', [[start + 1, 3]])
  expect(await read(id, 'good')).toEqual([
    [start, 6],
    [start + 1, 9],
  ])
})

test('a platform that starts again goes on with the last values of before', async () => {
  const id = device([computed('sum', 'a + b'), computed('before', 'previous(a)')])
  await bring(id, 'a', [[start, 1]])
  await bring(id, 'b', [[start + 1, 10]])
  // A device that moves is begun anew, as all are at a start: its past is in the store only.
  platform.member('ann', 'acme')
  await platform.move(id, 'acme')
  await platform.settle()
  await platform.move(id, org)
  await platform.settle()
  await bring(id, 'a', [[start + 2, 2]])
  expect((await read(id, 'sum')).at(-1)).toEqual([start + 2, 12])
  expect((await read(id, 'before')).at(-1)).toEqual([start + 2, 1])
})

test('a formula is judged with the place of each fault, for everybody who is signed in [C-21] [V-01]', async () => {
  const judge = (map: string, paths?: string[]) =>
    ann.validateFormula({
      body: { formula: { functions: { formula: { map } } }, ...(paths && { paths }) },
    })
  expect(await judge('a + b')).toEqual([])
  expect(await judge('a +\n nothing', ['a', 'b'])).toMatchObject([
    { code: 'unknown_path', startLineNumber: 2, startColumn: 2, endColumn: 9, severity: 8 },
  ])
  expect(await judge('(a')).toMatchObject([
    { code: 'unexpected_end', message: expect.any(String) as string },
  ])
  const url = `${platform.site.origin}${platformContract.base}/preset/formula/validate`
  expect((await fetch(url, { method: 'POST' })).status).toBe(401)
  await expect(ann.validateFormula({ body: { formula: {} } as never })).rejects.toMatchObject({
    status: 400,
  })
})
