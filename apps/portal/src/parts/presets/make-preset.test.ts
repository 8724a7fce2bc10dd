import { toDataPage } from '@longreach/kit/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls, refusedWith } from '../api/calls-testing.ts'
import { makePreset } from './make-preset.ts'

afterEach(() => vi.unstubAllGlobals())

const base = '/svc/mappings/api/v1'
const pump = [{ name: 'speed', type: 'double' }]
type Tree = Record<string, unknown>
type Sent = { name: string; data: Tree }

const stored = {
  realmId: 'nordwerk',
  orgResourceId: 'nordwerk',
  creationDate: 0,
  updatedAt: 0,
  deleted: false,
  subOrgsEnabledToView: false,
}
const model = (version: string, json: Tree) => ({
  ...stored,
  id: `m-${version}`,
  name: 'Pump',
  nameRaw: `Pump:${version}`,
  version,
  json,
  parentId: null,
})
const preset = (id: string, name: string, version: string, json: Tree) => ({
  ...stored,
  id,
  modelId: `m-${version}`,
  modelName: 'Pump',
  name,
  nameRaw: name,
  version,
  json,
})

/** A server that keeps models and presets. */
function serverWith(models: ReturnType<typeof model>[], presets: ReturnType<typeof preset>[]) {
  return answerCalls({
    [`GET ${base}/models`]: () => toDataPage(models, models.length, { page: 0, pageSize: 1 }),
    [`GET ${base}/presets`]: () => toDataPage(presets, presets.length, { page: 0, pageSize: 100 }),
    [`POST ${base}/models`]: ({ body }) => {
      const { name, data } = body as Sent
      return { ...model(name.split(':')[1] ?? '', data), metadata: [] }
    },
    [`POST ${base}/presets`]: ({ body }) => {
      const { name, data } = body as Sent
      return preset('new', name, '1.0.0', data)
    },
  })
}
const made = (asked: ReturnType<typeof answerCalls>) =>
  asked.flatMap(({ call, body }) =>
    call.startsWith('POST') ? [`${call.split('/').at(-1)} ${(body as Sent).name}`] : [],
  )
const same = { type: 'object', instanceOf: 'Pump:1.0.0', properties: { speed: { type: 'double' } } }
const linked = {
  ...same,
  properties: { speed: { type: 'double', mode: 'R', datalink: { source: 'speed' } } },
}

test('a device of a new kind gets a model and a preset', async () => {
  const asked = serverWith([], [])
  expect(await makePreset('nordwerk', 'Pump', pump)).toBe('new')
  expect(made(asked)).toEqual(['models Pump:1.0.0', 'presets Pump'])
  expect(asked.every(({ query }) => query['organization'] === 'nordwerk')).toBe(true)
})

test('what an earlier attempt left is used again', async () => {
  const asked = serverWith([model('1.0.0', same)], [preset('p1', 'Pump', '1.0.0', linked)])
  expect(await makePreset('nordwerk', 'Pump', pump)).toBe('p1')
  expect(made(asked)).toEqual([])
})

test('a model of an earlier attempt gets the preset that it lacks', async () => {
  const asked = serverWith([model('1.0.0', same)], [])
  expect(await makePreset('nordwerk', 'Pump', pump)).toBe('new')
  expect(made(asked)).toEqual(['presets Pump'])
})

test('a preset of the same name that links other tags is not taken', async () => {
  const other = {
    ...same,
    properties: { speed: { type: 'double', mode: 'R', datalink: { source: 'rpm' } } },
  }
  const asked = serverWith([model('1.0.0', same)], [preset('p1', 'Pump', '1.0.0', other)])
  expect(await makePreset('nordwerk', 'Pump', pump)).toBe('new')
  expect(made(asked)).toEqual(['presets Pump'])
})

test('a model with other properties stays, and gets a further version', async () => {
  const other = { ...same, properties: { flow: { type: 'double' } } }
  const asked = serverWith([model('1.3.0', other)], [])
  await makePreset('nordwerk', 'Pump', pump)
  expect(made(asked)).toEqual(['models Pump:1.4.0', 'presets Pump 1.4.0'])
})

test('a model that may not be made makes no preset', async () => {
  const asked = answerCalls({
    [`GET ${base}/models`]: () => toDataPage([], 0, { page: 0, pageSize: 1 }),
    [`POST ${base}/models`]: () => refusedWith(403, 'forbidden'),
  })
  await expect(makePreset('nordwerk', 'Pump', pump)).rejects.toMatchObject({ code: 'forbidden' })
  expect(made(asked)).toEqual(['models Pump:1.0.0'])
})
