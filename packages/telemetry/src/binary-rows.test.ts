import { testDatabase } from '@longreach/kit/test-database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { binaryRows } from './binary-rows.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('rows come as they are: numbers, bytes, arrays and nothing', async () => {
  const query = `select n::int, -n / 2.0::float8, decode(repeat('00ff5c0a', n * 2000), 'hex'),
    array[n, -n], array[1.5::float8, n], '{}'::int[], null::int[], null::bytea, null::float8
    from generate_series(1, 40) n`
  const rows = await binaryRows(database.pool, query, (row) => ({
    int: row.int(),
    double: row.double(),
    bytes: Buffer.from(row.bytes() ?? []),
    ints: row.ints(),
    doubles: row.doubles(),
    empty: row.ints(),
    nothing: [row.ints(), row.bytes(), row.double()],
  }))
  expect(rows).toHaveLength(40)
  for (const [at, { bytes, ...row }] of rows.entries()) {
    const n = at + 1
    expect(row).toEqual({
      int: n,
      double: -n / 2,
      ints: [n, -n],
      doubles: [1.5, n],
      empty: [],
      nothing: [null, null, null],
    })
    expect(bytes.equals(Buffer.from('00ff5c0a'.repeat(n * 2000), 'hex'))).toBe(true)
  }
  expect(await binaryRows(database.pool, 'select 1 where false', (row) => row.int())).toEqual([])
})

test('a failure in the database, on the way or in what takes the rows is told, and the pool goes on', async () => {
  const { pool } = database
  const int = 'select n::int from generate_series(1, 1000) n'
  await expect(binaryRows(pool, 'select nothing', () => 1)).rejects.toThrow('nothing')
  await expect(
    binaryRows(pool, `select 1 / (n - 900) from (${int}) i (n)`, (row) => row.int()),
  ).rejects.toThrow('division by zero')
  const refuse = () => {
    throw new Error('a damaged block')
  }
  await expect(binaryRows(pool, int, refuse)).rejects.toThrow('a damaged block')
  await expect(
    binaryRows(pool, 'select 1 from pg_terminate_backend(pg_backend_pid())', () => 1),
  ).rejects.toThrow('terminat')
  // The pool may hand out the broken connection once more before it notices that it ended.
  const rows = await vi.waitFor(() => binaryRows(pool, int, (row) => row.int()), 20_000)
  expect(rows).toHaveLength(1000)
})
