import { expect, test } from 'vitest'
import { createJointQuestion } from './joint-question.ts'

test('questions of one turn are asked together, each thing once, and a fault is that of all', async () => {
  const asked: (readonly string[])[] = []
  const length = createJointQuestion(async (all) => {
    asked.push(all)
    if (all.includes('broken')) throw new Error('no answer')
    return new Map(all.flatMap((one) => (one === 'unknown' ? [] : [[one, one.length] as const])))
  })
  const answers = await Promise.all(['one', 'three', 'one', 'unknown'].map((one) => length(one)))
  expect(answers).toEqual([3, 5, 3, undefined])
  expect(asked).toEqual([['one', 'three', 'unknown']])
  const faults = await Promise.allSettled([length('one'), length('broken')])
  expect(faults.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await length('three')).toBe(5)
})
