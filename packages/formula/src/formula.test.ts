import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completionsAt } from './complete.ts'
import { orderOf } from './cycles.ts'
import { evaluate } from './evaluate.ts'
import { functions, signatures } from './functions.ts'
import { FormulaHistory } from './history.ts'
import { issueCodes } from './issue.ts'
import { type Formula, parseFormula, variablesOf } from './parse.ts'
import { atPlace, writtenPath } from './paths.ts'
import { validateFormula } from './validate.ts'

function formulaOf(text: string): Formula {
  const parsed = parseFormula(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.issues[0].message}`)
  return parsed.formula
}
const values = { a: 6, b: 4, zero: 0, on: true, word: 'warm', 'zones[0]/temp': 21.5 }
const given = (text: string) => evaluate(formulaOf(text), values)

test.each([
  ['a + b * 2', 14],
  ['(a + b) * 2', 20],
  ['-2 ^ 2', -4],
  ['2 ^ 3 ^ 2', 512],
  ['2 ^ -1', 0.5],
  ['10 - 3 - 2', 5],
  ['7 % 4', 3],
  ['0x1F', 31],
  ['1.5e3 + .5', 1500.5],
  ['a/2', 3],
  ['(a)/b', 1.5],
  ['a / b', 1.5],
  ['zones[0]/temp + 1', 22.5],
  ['"Oven:1/zones[0]/temp"', 21.5],
  ['on + 1', 2],
  ["word + ' ' + a", 'warm 6'],
  ['a > b', true],
  ["'abc' < 'abd'", true],
  ['not a == 6', false],
  ['!on || a >= 6 && b < 4', false],
  ['a > b ? b > 5 ? 1 : 2 : 3', 2],
  ["if(on, 'on', 'off')", 'on'],
  ['min(a, b, 1)', 1],
  ['round(2.345, 2)', 2.35],
  ['round(-2.5)', -3],
  ['round(1234, -2)', 1200],
  ['clamp(a, 0, 5)', 5],
  ['scale(a, 0, 12, 4, 20)', 12],
  ['bit(a, 1)', true],
  ['bit(a, 0)', false],
  ['bit(-1, 63)', true],
  ['bitAnd(a, 0x2)', 2],
  ["number(' 12.5 ')", 12.5],
  ["bool('true')", true],
  ['text(a)', '6'],
  ["length('abc')", 3],
  ["contains(word, 'arm')", true],
  ['coalesce(null, gone, b)', 4],
])('%s is %s', (text, expected) => {
  expect(given(text)).toBe(expected)
})

test('what is not there is null, and stays null unless it is handled', () => {
  for (const text of ['gone', 'gone + 1', '-gone', 'gone > 1', 'gone == 1', 'gone ? 1 : 2'])
    expect([text, given(text)]).toEqual([text, null])
  expect(given('gone == null')).toBe(true)
  expect(given('a != null')).toBe(true)
  expect(given('isNull(gone) ? 0 : gone')).toBe(0)
  expect(given('on or gone')).toBe(true)
  expect(given('on and gone')).toBeNull()
  expect(given('zero and gone')).toBe(false)
})

test('what is no number is null: division by zero, roots and logarithms, texts', () => {
  for (const text of [
    'a / zero',
    'a % zero',
    'sqrt(-1)',
    'log(0)',
    '10 ^ 400',
    'word * 2',
    "number('x')",
  ])
    expect([text, given(text)]).toEqual([text, null])
  expect(given('scale(a, 1, 1, 0, 1)')).toBeNull()
  expect(given('clamp(a, 5, 1)')).toBeNull()
})

test('only own values are read: nothing of JavaScript is in reach', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(evaluate(formulaOf(name), values)).toBeNull()
    expect(evaluate(formulaOf(name), new Map())).toBeNull()
    expect(parseFormula(`${name}()`).ok).toBe(false)
  }
  expect(evaluate(formulaOf('a'), { a: { b: 1 } })).toBeNull()
})

test('functions that look back get what a path was before', () => {
  const formula = formulaOf(
    'previous(x) + delta(x) + rate(x) * 100 + avgOver(x, 10) + countOver(x, 10)',
  )
  const history = new FormulaHistory(formula.reach)
  expect(evaluate(formula, { x: 1 }, { history })).toBeNull()
  for (const [t, x] of [
    [0, 1],
    [5_000, 3],
    [12_000, 10],
  ] as const)
    history.add('x', t, x)
  history.add('x', 4_000, 1_000) // late value: not the predecessor of the newest one
  expect(evaluate(formula, { x: 10 }, { history, t: 12_000 })).toBeCloseTo(3 + 7 + 100 + 6.5 + 2)
  for (let t = 13_000; t < 9_000_000; t += 1_000) history.add('x', t, 1)
  expect(history.samples('x').length).toBeLessThan(12)
  expect(formulaOf('a + 1').reach.size).toBe(0)
})

test('issues say what is wrong at which line and column [V-01]', () => {
  const issue = (text: string, paths?: string[]) => validateFormula(text, paths ? { paths } : {})[0]
  expect(issue('a +\n  * b')).toMatchObject({
    code: 'unexpected',
    message: '* is not expected here',
    startLineNumber: 2,
    startColumn: 3,
    endLineNumber: 2,
    endColumn: 4,
    severity: 8,
  })
  const paths = ['Oven:1/temp', 'Oven:1/zones[*]/set', 'power', 'hours']
  expect(validateFormula('temp + zones[3]/set + zones[${0}]/set', { paths })).toEqual([])
  expect(issue('temq', paths)?.values).toEqual({ path: 'temq', similar: 'temp' })
  expect(issue('power/hours', paths)).toMatchObject({
    code: 'divide_with_blanks',
    values: { similar: 'power / hours' },
  })
  const codes = {
    '': 'empty',
    '1 +': 'unexpected_end',
    '(1': 'unexpected_end',
    '(1 2)': 'expected',
    '1 2': 'unexpected',
    '1..2': 'bad_number',
    "'abc": 'unclosed_text',
    '"abc': 'unclosed_path',
    'a # b': 'unexpected_character',
    'a[b]': 'bad_index',
    'rond(1)': 'unknown_function_similar',
    'nothingLikeIt(1)': 'unknown_function',
    'sqrt(1, 2)': 'argument_count',
    'previous(1 + 2)': 'needs_path',
    'avgOver(a, b)': 'needs_window',
    'avgOver(a, 1e9)': 'needs_window',
  }
  for (const [text, code] of Object.entries(codes))
    expect([text, issue(text)?.code]).toEqual([text, code])
  for (const code of Object.values(codes)) expect(issueCodes).toContain(code)
})

test('a hostile text is refused, whatever its size and depth [V-01]', () => {
  const code = (text: string) => validateFormula(text)[0]?.code
  expect(code('('.repeat(2_000))).toBe('too_deep')
  expect(code(`${'-'.repeat(2_000)}1`)).toBe('too_deep')
  expect(code(`1${'^1'.repeat(4_000)}`)).toMatch('too_')
  expect(code(`${'not '.repeat(2_000)}1`)).toBe('too_deep')
  expect(code(`1${'?1:1'.repeat(2_000)}`)).toMatch('too_')
  expect(code(`1${'+1'.repeat(4_000)}`)).toBe('too_many_parts')
  expect(code('1'.repeat(10_001))).toBe('too_long')
  expect(given(`1${'+1'.repeat(490)}`)).toBe(491)
  const long = `x${'+x'.repeat(400)}`
  expect(evaluate(formulaOf(long), { x: 'long text'.repeat(1_000) })).toBeNull()
})

test('any text is read or refused, and what runs gives a value', () => {
  const words = ['a', 'b/c', 'x[0]', '"', "'", '(', ')', ',', '?', ':', '1', '.5', '1e9', '^', '/']
  const operators = [
    'and',
    'or',
    'not',
    '!',
    '-',
    '<=',
    '==',
    '%',
    '[',
    ']',
    '\\',
    '${0}',
    '\n',
    ' ',
  ]
  const named = [...signatures.keys()].map((name) => `${name}(`)
  const part = fc.oneof(
    fc.constantFrom(...words, ...operators, ...named),
    fc.string({ maxLength: 3 }),
  )
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.anything(), (hostile, value) => {
      const parsed = parseFormula(hostile)
      completionsAt(hostile, hostile.length >> 1, { paths: ['a', 'b/c'] })
      if (!parsed.ok) return parsed.issues[0].startLineNumber >= 1
      const result = evaluate(parsed.formula, { a: value, 'b/c': value, 'x[0]': value })
      const good = ['number', 'string', 'boolean'].includes(typeof result) || result === null
      return good && (typeof result !== 'number' || Number.isFinite(result))
    }),
    { numRuns: 3_000 },
  )
})

test('arithmetic gives what JavaScript gives for the same text', () => {
  const tree = fc.letrec<{ node: string; leaf: string }>((tie) => ({
    leaf: fc.integer({ min: 0, max: 99 }).map(String),
    node: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc
        .tuple(tie('node'), fc.constantFrom('+', '-', '*', '/', '%', '<', '>='), tie('node'))
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    ),
  })).node
  const compute = (text: string): number | boolean => runInNewContext(text) as number
  fc.assert(
    fc.property(tree, (text) => {
      const result = given(text)
      // Division by zero in a part gives null here and infinity in the reference.
      fc.pre(result !== null)
      expect(result).toEqual(compute(text))
    }),
    { numRuns: 300 },
  )
})

test('functions without numbers answer null, and never throw', () => {
  for (const { run, least } of functions.values())
    expect(() => run(Array.from({ length: least }, () => null))).not.toThrow()
})

test('completion offers paths and functions at the place of the cursor', () => {
  const paths = ['Oven:1/temp', 'Oven:1/zones[*]/temp', 'odd name']
  const at = (text: string) => completionsAt(text, text.length, { paths })
  expect(at('1 + te')).toMatchObject({ from: 4, to: 6 })
  expect(
    at('1 + te')
      .options.map(({ label }) => label)
      .slice(0, 3),
  ).toEqual(['temp', 'text', 'zones[0]/temp'])
  expect(at('zones[0]/t').options[0]).toMatchObject({ kind: 'path', apply: 'zones[0]/temp' })
  expect(at('odd').options[0]?.apply).toBe('"odd name"')
  expect(at('"odd').options).toEqual([{ label: 'odd name', kind: 'path', apply: '"odd name"' }])
  expect(at("'te").options).toEqual([])
  expect(at('sca').options[0]).toMatchObject({ apply: 'scale(', detail: signatures.get('scale') })
})

test('paths are named below the model, and those in arrays by their place', () => {
  expect(variablesOf(formulaOf('a + "Oven:1/a" + zones[0]/b'))).toEqual(['a', 'zones[0]/b'])
  expect(atPlace('zones[${0}]/a + zones[${1}]/b', [3])).toBe('zones[3]/a + zones[${1}]/b')
  for (const path of ['a', 'a b', 'and', 'q"x\\'])
    expect(variablesOf(formulaOf(writtenPath(path)))).toEqual([path])
})

test('formulas of formulas are put in order, and circles are found', () => {
  const needs = new Map([
    ['c', ['b', 'x']],
    ['b', ['a']],
    ['a', ['x']],
    ['p', ['q']],
    ['q', ['p']],
    ['s', ['s']],
  ])
  expect(orderOf(needs)).toEqual({ order: ['a', 'b', 'c'], circular: ['p', 'q', 's'] })
})
