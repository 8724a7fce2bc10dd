import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from './database.ts'
import { statementNames } from './prepared-statements.ts'
import { testDatabase } from './test-database.ts'

let server: Awaited<ReturnType<typeof testDatabase>>
let database: Database
beforeAll(async () => {
  server = await testDatabase()
  // One connection, so that all statements are prepared on it.
  database = openDatabase({ ...server.connection, max: 1 }, () => undefined)
  await sql`create table pump (id int primary key, label text)`.execute(database.db)
  await sql`insert into pump values (1, 'feed')`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await server.close()
})

const prepared = async () => {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements`.execute(database.db)
  return rows.map(({ statement }) => statement)
}
const pump = async (id: number) =>
  (await sql<{ id: number }>`select * from pump where id = ${id}`.execute(database.db)).rows

test('a statement that is asked again and again is kept prepared', async () => {
  for (let round = 0; round < 2; round += 1) await pump(1)
  expect(await prepared()).toEqual([])
  for (let round = 0; round < 3; round += 1)
    expect(await pump(1)).toEqual([{ id: 1, label: 'feed' }])
  expect(await pump(2)).toEqual([])
  expect(await prepared()).toEqual(['select * from pump where id = $1'])
})

test('a statement whose columns change meanwhile fails once and is asked anew', async () => {
  for (let round = 0; round < 4; round += 1) await pump(1)
  await sql`alter table pump add column speed int`.execute(database.db)
  await expect(pump(1)).rejects.toThrow('cached plan must not change result type')
  expect(await pump(1)).toEqual([{ id: 1, label: 'feed', speed: null }])
})

test('patterns and lists are planned for their values each time', () => {
  const { nameOf } = statementNames()
  const names = (text: string) => Array.from({ length: 4 }, () => nameOf(text)).at(-1)
  expect(names('select from pump where id = $1')).toBe('s0')
  expect(names('select from pump where label like $1')).toBeUndefined()
  expect(names('select from pump where label ~>=~ $1')).toBeUndefined()
  expect(names('select from pump where id = any($1::int[])')).toBeUndefined()
  expect(names('select from pump where id in ($1, $2)')).toBeUndefined()
})

test('no more than 500 statements are prepared, however many are asked', () => {
  const { nameOf } = statementNames()
  const given = Array.from({ length: 700 }, (_, n) => {
    for (let round = 0; round < 3; round += 1) nameOf(`select ${n}`)
    return nameOf(`select ${n}`)
  })
  expect(given.filter((name) => name !== undefined)).toHaveLength(500)
})
