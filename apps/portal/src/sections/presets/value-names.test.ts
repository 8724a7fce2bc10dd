import { expect, test } from 'vitest'
import { rowsOf } from './preset-tree-rules.ts'
import { valueNames } from './value-names.ts'

const value = (label?: string) => ({ type: 'double', ...(label !== undefined && { label }) })
const nameOf = valueNames(
  rowsOf({
    type: 'object',
    instanceOf: 'Oven:1.0.0',
    properties: {
      zone3: {
        type: 'object',
        label: 'Zone 3',
        properties: { setPoint: value('Set-point'), raw: value() },
      },
      belts: {
        type: 'array',
        label: 'Belts',
        length: 2,
        item: { type: 'object', properties: { speed: value('Speed') } },
      },
    },
  }),
)

test.each([
  ['zone3/setPoint', 'Zone 3 · Set-point', 'zone3/setPoint'],
  ['Oven:1/zone3/setPoint', 'Zone 3 · Set-point', 'zone3/setPoint'],
  ['Oven:1/belts[1]/speed', 'Belts [1] · Speed', 'belts[1]/speed'],
  ['belts[*]/speed', 'Belts [*] · Speed', 'belts[*]/speed'],
  // Without words in the model, and what is not in it: by the path.
  ['zone3/raw', 'zone3/raw', undefined],
  ['gone/away', 'gone/away', undefined],
])('%s is called %s', (path, name, told) => {
  expect(nameOf(path)).toEqual({ name, path: told })
})
