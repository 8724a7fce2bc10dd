import { expect, test } from 'vitest'
import { suggestedTags } from './suggested-tags.ts'

const tag = (path: string, type: string, value?: unknown) => ({
  path,
  type,
  last: value === undefined ? undefined : { value },
})

test('a first chart has the first three numbers that have a value', () => {
  const tags = [
    tag('Oven:1/door', 'boolean', true),
    tag('Oven:1/temperature', 'double', 180),
    tag('Oven:1/never', 'double'),
    tag('Oven:1/products', 'integer', 4),
    tag('Oven:1/name', 'string', 'A'),
    tag('Oven:1/power', 'double', 60),
    tag('Oven:1/speed', 'double', 3.5),
  ]
  expect(suggestedTags(tags).map(({ path }) => path)).toEqual([
    'Oven:1/temperature',
    'Oven:1/products',
    'Oven:1/power',
  ])
  expect(suggestedTags([])).toEqual([])
})
