import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, enter } from './asking.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { longestBlock, slowness } from './loop-guard.ts'

// Nobody waits for the presets of a model that is as large as models may be.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
/** Milliseconds that one call may keep the loop, on the machine that this was written on. */
const longestMs = 250

let longreach: Longreach
let ask: Ask
const limitMs = () => longestMs * slowness()
beforeAll(async () => {
  longreach = await startLongreach({ env })
  ask = (await enter(longreach.url, owner)).ask
})
afterAll(() => longreach?.stop())

test('a large preset is compiled, and what a change of its model means told, while others are answered', async () => {
  const post = (what: string, body: object) =>
    ask('POST', `mappings/api/v1/${what}?organization=main`, body)
  const root = (name: string, count: number, leaf: (n: number) => object) => ({
    type: 'object',
    instanceOf: `${name}:1.0.0`,
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, leaf(n)])),
  })
  const trigger = {
    type: 'onchange',
    changeMask: 'value',
    minIntervalMs: 1_000,
    skipFirstNChanges: 0,
  }
  const sendPolicy = { triggers: [trigger] }
  const policies = { historyPolicy: { enabled: true }, sendPolicy }
  const linked = (leaf: object) => (n: number) => ({
    ...leaf,
    ...policies,
    mode: 'R',
    datalink: { source: `tag ${n}` },
  })
  const field = { a: { type: 'double' } }
  const made = [
    { name: 'Structs', count: 4_000, leaf: { type: 'struct', properties: field } },
    { name: 'Leaves', count: 9_000, leaf: { type: 'double' } },
  ]
  const ids: string[] = []
  for (const { name, count, leaf } of made) {
    const model = await post('models', { name, data: root(name, count, () => leaf) })
    expect({ name, status: model.status }).toEqual({ name, status: 201 })
    ids.push((JSON.parse(model.text) as { id: string }).id)
    const compile = () => post('presets', { name, data: root(name, count, linked(leaf)) })
    const { result, longest } = await longestBlock(longreach, compile)
    const said = result.text.slice(0, 300)
    expect({ said, status: result.status }).toEqual({ said, status: 201 })
    expect(longest).toBeLessThan(limitMs())
  }
  const impact = () => post(`models/${ids[1]}/impact`, { data: root('Leaves', 1, () => field.a) })
  const { result, longest } = await longestBlock(longreach, impact)
  const { presets } = JSON.parse(result.text) as { presets: { paths: string[] }[] }
  expect(presets.map(({ paths }) => paths.length)).toEqual([8_999])
  expect(longest).toBeLessThan(limitMs())
})
