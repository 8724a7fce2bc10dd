import { afterAll, expect, test } from 'vitest'
import { createWorkerPool } from './worker-pool.ts'
import { readTable } from './table-text.ts'

const pool = createWorkerPool({
  threads: 1,
  mostWaiting: 3,
  longestMs: 3_000,
  memoryMb: 32,
  idleMs: 60_000,
})
afterAll(() => pool.close())

const task = (name: string) => ({
  module: new URL('./worker-tasks-testing.ts', import.meta.url),
  name,
})

test('a task answers as its function does, and refuses with its own error', async () => {
  const module = new URL('./table-text.ts', import.meta.url)
  const csv = 'a;b\n1;2\n'
  expect(await pool.run({ module, name: 'readTable' }, [csv])).toEqual(readTable(csv))
  await expect(pool.run(task('refuse'), [])).rejects.toMatchObject({ status: 422, code: 'x.wrong' })
})

test('a task that never ends, takes all memory or breaks ends alone, and the next is done', async () => {
  for (const name of ['never', 'allMemory', 'leave', 'broken']) {
    await expect(pool.run(task(name), [])).rejects.toMatchObject({
      status: 422,
      code: 'request.too_much_work',
    })
    expect(await pool.run(task('double'), [21])).toBe(42)
  }
})

test('more tasks than threads wait, and more than may wait are refused', async () => {
  const all = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => pool.run(task('double'), [n])))
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toMatchObject([
    2,
    4,
    6,
    8,
    { status: 503 },
  ])
})
