import { expect, test } from 'vitest'
import { createTagSampler } from './sample-tags.ts'
import { badReading, goodReading } from './tags.ts'

test('tags are sampled from what sources read anyway: the value before, and good ones that come', async () => {
  const last = (tag: string) => (tag === 'T1' ? goodReading('T1', 1, 10) : undefined)
  const sampler = createTagSampler({ last })
  const asked = sampler.sample({ tags: ['T1', 'T2', 'absent'], forMs: 20 })
  sampler.take([goodReading('T1', 1, 10), goodReading('T1', 2, 20), badReading('T2', 'gone', 20)])
  sampler.take([goodReading('T2', 'on', 30), goodReading('other', 5, 30)])
  expect(await asked).toEqual({
    samples: {
      T1: [
        [10, 1],
        [20, 2],
      ],
      T2: [[30, 'on']],
      absent: [],
    },
  })
  // No command waits any more, so nothing is stored.
  sampler.take([goodReading('T1', 3, 40)])
  const many = Array.from({ length: 1_000 }, (_, index) => goodReading('T1', index, index))
  const flood = sampler.sample({ tags: ['T1'], forMs: 0 })
  sampler.take(many)
  expect((await flood).samples['T1']).toHaveLength(300)
})
