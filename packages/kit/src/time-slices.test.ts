import { expect, test } from 'vitest'
import { mapInSlices, createTimeSlicer } from './time-slices.ts'

test('results come in the order of the items', async () => {
  expect(await mapInSlices([3, 1, 2], (item, index) => [item, index])).toEqual([
    [3, 0],
    [1, 1],
    [2, 2],
  ])
})

test('however much work is under way, one slice of it is done between two looks at what waits', async () => {
  let slices = 0
  const most: number[] = []
  const ended = { yes: false }
  const work = async () => {
    const turn = createTimeSlicer(0)
    for (let slice = 0; slice < 20; slice += 1) {
      await turn.next()
      slices += 1
    }
  }
  const looking = (async () => {
    while (!ended.yes) {
      const before = slices
      await new Promise((done) => setImmediate(done))
      most.push(slices - before)
    }
  })()
  await Promise.all(Array.from({ length: 60 }, work))
  ended.yes = true
  await looking
  expect(slices).toBe(60 * 20)
  expect(Math.max(...most)).toBe(1)
})
