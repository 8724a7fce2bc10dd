import { expect, test } from 'vitest'
import { splitFaults } from './unfilled.ts'

const draft = {
  name: '',
  scope: { model: '' },
  when: {
    all: [
      { path: 'Oven:1/speed', op: '>' },
      { path: 'x', op: '>', value: 0 },
    ],
  },
  levels: [{ severity: 9 }],
  schedule: { times: [] },
}
const split = (...places: string[]) => {
  const { unfilled, wrong } = splitFaults(
    draft,
    places.map((place) => ({ place })),
  )
  return [unfilled, wrong].map((faults) => faults.map(({ place }) => place))
}

test('a place without a value, with an empty text, list or fields is still to be filled in', () => {
  const places = ['name', 'scope', 'scope.model', 'when.all.0.value', 'schedule.times', 'zone.a.b']
  expect(split(...places)).toEqual([places, []])
})

test('a value is wrong, also zero and what stands in a group; and so is the whole', () => {
  const places = ['when', 'when.all', 'when.all.1.value', 'levels.0.severity', '']
  expect(split(...places)).toEqual([[], places])
})
