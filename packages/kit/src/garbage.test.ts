import { expect, test } from 'vitest'
import { collectGarbage } from './garbage.ts'

test('what nothing refers to any more is collected, what is in use stays', async () => {
  let block: object | undefined = { rows: Array.from({ length: 100_000 }, (_, at) => ({ at })) }
  const gone = new WeakRef(block)
  const kept = new WeakRef({ used: true })
  const held = kept.deref()
  block = undefined
  // A WeakRef that was read keeps its object until the end of the turn.
  await new Promise((done) => setImmediate(done))
  await collectGarbage()
  expect(gone.deref()).toBeUndefined()
  expect(kept.deref()).toBe(held)
})
