import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Condition, type Field, readCondition } from './condition.ts'
import { type SqlField, toSql } from './expression-sql.ts'
import { matches, type RowField } from './matches.ts'

type Row = {
  text: string | null
  number: number | null
  flag: boolean | null
  time: Date | null
  texts: string[] | null
  numbers: number[] | null
  /** Undefined where the column is null; null is a JSON value. */
  json: unknown
}
const kinds: { [name in keyof Row]: Field['kind'] } = {
  text: 'text',
  number: 'number',
  flag: 'boolean',
  time: 'time',
  texts: 'texts',
  numbers: 'numbers',
  json: 'json',
}

/** Field of both kinds, so that one condition is asked of the database and in memory. */
type BothFields = SqlField & RowField<Row>
function fieldOf(name: string): BothFields | undefined {
  if (name === 'indexed') {
    return {
      kind: 'text',
      sql: sql.ref('text'),
      within: sql.ref('longer'),
      read: (row) => row.text,
    }
  }
  if (!isField(name)) return undefined
  return { kind: kinds[name], sql: sql.ref(name), read: (row) => row[name] }
}
const isField = (name: string): name is keyof Row => Object.hasOwn(kinds, name)

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Kysely<{ row: { id: number } }>
beforeAll(async () => {
  database = await testDatabase()
  await database.pool.query(
    `create table row (id int, text text, number double precision, flag boolean, time timestamptz,
      texts text[], numbers int[], json jsonb, longer text generated always as (regexp_replace(
        normalize(lower('x ' || text || ' y' collate "und-x-icu"), NFKD), '[\\u0300-\\u036f]', '', 'g')) stored)`,
  )
  db = database.db
})
afterAll(() => database.close())

async function keep(rows: readonly Row[]) {
  await database.pool.query('truncate row')
  for (const [id, { text, number, flag, time, texts, numbers, json }] of rows.entries()) {
    await database.pool.query('insert into row values ($1, $2, $3, $4, $5, $6, $7, $8)', [
      id,
      text,
      number,
      flag,
      time,
      texts,
      numbers,
      json === undefined ? null : JSON.stringify(json),
    ])
  }
}

/** Numbers of the rows that the database selects. */
async function selected(condition: Condition<BothFields>) {
  const found = await db
    .selectFrom('row')
    .select('id')
    .where(toSql(condition))
    .orderBy('id')
    .execute()
  return found.map(({ id }) => id)
}

const letters = [
  'a',
  'A',
  'ä',
  'É',
  'ß',
  'Σ',
  'İ',
  '…',
  '．',
  '*',
  '.',
  '%',
  '_',
  '\\',
  '$',
  '^',
  '+',
  ' ',
  '😀',
  '中',
]
const word = fc.string({ unit: fc.constantFrom(...letters), maxLength: 6 })
const character = fc.constantFrom(...letters, '\u{10ffff}', '\uffee', '\u0301', '\u0001', '\t', '"')
const text = fc.oneof(
  word,
  fc.string({ unit: character, maxLength: 20 }),
  fc.constantFrom('', '5', 'true', 'null'),
)
const number = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    5,
    0.5,
    -7,
    1e-7,
    0.0001,
    123e-7,
    1e15,
    999_999_999_999_999,
    1.5e21,
    Infinity,
    NaN,
  ),
  fc.double({ noNaN: true }),
  fc.integer({ min: -9, max: 9 }),
)
const times = ['2026-11-26T09:57:02.120Z', '1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z']
const time = fc.oneof(
  fc.constantFrom(...times).map((one) => new Date(one)),
  fc.date({
    min: new Date('-004700-01-01T00:00:00Z'),
    max: new Date(8.64e15),
    noInvalidDate: true,
  }),
)
const json = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, 5, { a: 5, B: ['a', null], '': {} }, [], {
    中: 1,
    zz: 2,
    '😀': 3,
  }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 2, stringUnit: character }),
)
const row: fc.Arbitrary<Row> = fc.record({
  text: fc.option(text),
  number: fc.option(number),
  flag: fc.option(fc.boolean()),
  time: fc.option(time),
  texts: fc.option(fc.array(text, { maxLength: 3 })),
  numbers: fc.option(fc.array(fc.integer({ min: -9, max: 99 }), { maxLength: 3 })),
  json: fc.option(json, { nil: undefined }),
})

const quoted = (one: string) => `"${one.replaceAll(/["\\]/g, String.raw`\$&`)}"`
const pattern = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: word }, fc.constantFrom('.*', '.+', '.', '*', '^', '$')),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''))
const literal = fc.oneof(
  text.map(quoted),
  fc.constantFrom(
    '5',
    '0.5',
    '-7',
    '1e-7',
    '1e15',
    '1e999',
    'true',
    'false',
    'null',
    '0',
    '1795687022120',
  ),
  fc.constantFrom(...times).map(quoted),
)
const name = fc.constantFrom(...Object.keys(kinds), 'text.keyword', 'indexed')
const comparison = fc.oneof(
  fc
    .tuple(name, fc.constantFrom('==', '!=', '>', '>=', '<', '<='), literal)
    .map((all) => all.join(' ')),
  fc.tuple(name, fc.constantFrom('~=', '!~='), pattern.map(quoted)).map((all) => all.join(' ')),
  fc
    .tuple(name, fc.array(literal, { minLength: 1, maxLength: 3 }))
    .map(([field, all]) => `${field} in (${all.join(', ')})`),
)
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: comparison },
    fc
      .tuple(tie('expression'), fc.constantFrom('and', 'or'), tie('expression'))
      .map((all) => all.join(' ')),
    tie('expression').map((one) => `not (${one})`),
  ),
}))

test('in memory an expression selects the rows that the database selects', async () => {
  let asked = 0
  const rows = fc.array(row, { minLength: 1, maxLength: 12 })
  const expressions = fc.array(expression, { minLength: 1, maxLength: 15 })
  const property = fc.asyncProperty(rows, expressions, async (kept, sources) => {
    await keep(kept)
    for (const source of sources) {
      const read = readCondition(source, fieldOf)
      if (!read.ok) continue
      const { condition } = read
      const found = kept.flatMap((one, id) => (matches(condition)(one) ? [id] : []))
      expect({ source, found }).toEqual({ source, found: await selected(condition) })
      asked += 1
    }
  })
  await fc.assert(property, { numRuns: 150 })
  expect(asked).toBeGreaterThan(300)
})

test('hostile patterns end in the database as in memory', async () => {
  const text = `${'a'.repeat(8_000)}!`
  const nothing = {
    number: null,
    flag: null,
    time: null,
    texts: [text],
    numbers: null,
    json: { text },
  }
  const rows: Row[] = [{ text, ...nothing }]
  await keep(rows)
  const patterns = [
    '*a'.repeat(2_000),
    '.+'.repeat(4_000) + 'b',
    'a.'.repeat(3_000) + 'b',
    '.*a'.repeat(2_000) + '$',
  ]
  for (const field of ['text', 'indexed', 'texts', 'json']) {
    for (const hostile of patterns) {
      const read = readCondition(`${field} ~= "${hostile}"`, fieldOf)
      if (!read.ok) throw new Error(read.message)
      expect(rows.map(matches(read.condition))).toEqual([false])
      expect(await selected(read.condition)).toEqual([])
    }
  }
})

test.each([
  ['number == "a"', 'this field is a number'],
  ['flag > true', 'this field has no order'],
  ['flag == 1', 'this field is true or false'],
  ['numbers in (1.5)', 'this field holds whole numbers'],
  ['time > "soon"', 'this field is a time'],
  ['time < -300000000000000', 'this field is a time'],
  ['text == "a" and other == 1', 'there is no field other'],
])('%s is refused: %s', (source, message) => {
  expect(readCondition(source, fieldOf)).toMatchObject({ ok: false, message })
})

test('a chain of 100,000 conditions does not exhaust the stack', () => {
  const read = readCondition(`text == "a"${' or text == "b"'.repeat(100_000)}`, fieldOf)
  expect(read).toMatchObject({ ok: true, condition: { kind: 'or' } })
})
