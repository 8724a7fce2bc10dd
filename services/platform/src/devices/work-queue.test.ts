import { expect, test } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

test('so much work runs at a time, in order, and work that fails makes room too', async () => {
  const queue = createWorkQueue(2)
  const began: string[] = []
  const gates = new Map<string, PromiseWithResolvers<string>>()
  const add = (name: string) =>
    queue.run(async (waitedMs) => {
      began.push(waitedMs > 0 ? `${name} waited` : name)
      const gate = Promise.withResolvers<string>()
      gates.set(name, gate)
      return gate.promise
    })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(add)
  expect(began).toEqual(['a', 'b'])
  gates.get('b')?.reject(new Error('b failed'))
  await expect(b).rejects.toThrow('b failed')
  expect(began).toEqual(['a', 'b', 'c waited'])
  gates.get('a')?.resolve('done')
  expect(await a).toBe('done')
  expect(began).toEqual(['a', 'b', 'c waited', 'd waited'])
  for (const name of ['c', 'd']) gates.get(name)?.resolve(name)
  expect(await Promise.all([c, d])).toEqual(['c', 'd'])
  const e = add('e')
  expect(began.at(-1)).toBe('e')
  gates.get('e')?.resolve('')
  await e
})
