import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileRule } from './compile.ts'
import { ruleIssueCodes } from './issue.ts'
import { ruleLimits } from './limits.ts'
import { rawRule } from './rule-testing.ts'
import { type Known, type Validated, validateRule } from './validate.ts'

const paths = [
  'Oven:1/temp',
  'Oven:1/speed',
  'Oven:1/door',
  'Oven:1/zones[*]/temp',
  'Oven:1/zones[*]/heaters[*]/power',
]
const known: Known = {
  paths,
  id: 'mine',
  rules: new Map([
    ['mine', undefined],
    ['second', 'third'],
    ['third', 'mine'],
    ['other', undefined],
    ['round', 'round'],
  ]),
}

/** Issues of a rule as `place code`. */
function issuesOf(given: Record<string, unknown>) {
  const validated: Validated = validateRule(rawRule(given), known)
  return validated.ok ? [] : validated.issues.map(({ place, code }) => `${place} ${code}`)
}
const leaf = (given: Record<string, unknown>) => ({
  when: { path: 'Oven:1/temp', op: '>', value: 230, ...given },
})
const levels = (op: string, ...values: unknown[]) => ({
  when: { path: 'temp', op },
  levels: values.map((value, index) => ({ severity: index + 1, value })),
})
const nested = (depth: number) => {
  let when: unknown = { path: 'temp', op: '>', value: 1 }
  for (let level = 0; level < depth; level += 1) when = { not: when }
  return when
}
const times = (...given: Record<string, unknown>[]) => ({
  schedule: { zone: 'Europe/Rome', times: given },
})

type Case = [title: string, given: Record<string, unknown>, expected: string[]]
const cases: Case[] = [
  ['a good rule', {}, []],
  ['a name is missing', { name: undefined }, ['name missing']],
  ['a field that is unknown', { severity: 3 }, ['severity unknown_field']],
  ['a kind that is unknown', { kind: 'magic' }, ['kind not_one_of']],
  ['severity out of range', { levels: [{ severity: 7 }] }, ['levels.0.severity too_large']],
  ['severity below zero', { levels: [{ severity: -5 }] }, ['levels.0.severity too_small']],
  ['an unknown path', leaf({ path: 'Oven:1/pressure' }), ['when.path unknown_path']],
  ['a mistyped path', leaf({ path: 'Oven:1/tmep' }), ['when.path unknown_path_similar']],
  ['an index of an array is a known path', leaf({ path: 'Oven:1/zones[3]/temp' }), []],
  [
    'an unknown path as limit',
    leaf({ value: undefined, otherPath: 'Oven:1/sped' }),
    ['when.otherPath unknown_path_similar'],
  ],
  ['path and formula', leaf({ formula: 'temp' }), ['when path_or_formula']],
  ['value and path as limit', leaf({ otherPath: 'speed' }), ['when.otherPath value_or_path']],
  ['clear limit on the wrong side', leaf({ clear: 231 }), ['when.clear clear_wrong_side']],
  ['clear limit at the limit', leaf({ clear: 230 }), []],
  [
    'clear limit on the wrong side below',
    leaf({ op: '<', clear: 229 }),
    ['when.clear clear_wrong_side'],
  ],
  [
    'clear band that is narrower than inside',
    leaf({ op: 'inside', value: [1, 5], clear: [2, 4] }),
    ['when.clear clear_wrong_side'],
  ],
  [
    'clear band that is wider than outside',
    leaf({ op: 'outside', value: [1, 5], clear: [0, 6] }),
    ['when.clear clear_wrong_side'],
  ],
  [
    'a dead-band below zero beside another path',
    leaf({ value: undefined, otherPath: 'speed', clear: -1 }),
    ['when.clear clear_wrong_side'],
  ],
  [
    'a clear limit of a text',
    leaf({ op: '==', value: 'x', clear: 1 }),
    ['when.clear clear_not_used'],
  ],
  ['a text as limit of >', leaf({ value: 'x' }), ['when.value value_type']],
  ['one number as a band', leaf({ op: 'inside' }), ['when.value value_type']],
  [
    'a band whose ends are exchanged',
    leaf({ op: 'inside', value: [5, 1] }),
    ['when.value band_order'],
  ],
  ['a limit of changed', leaf({ op: 'changed' }), ['when.value value_not_used']],
  ['a limit of NaN', leaf({ value: NaN }), ['when.value invalid']],
  ['levels in order', levels('>', 1, 2, 3), []],
  ['levels out of order', levels('>', 2, 1), ['levels.1.value levels_value_order']],
  ['levels out of order below', levels('<', 1, 2), ['levels.1.value levels_value_order']],
  ['levels of bands', levels('outside', [10, 20], [5, 25]), []],
  [
    'levels of bands out of order',
    levels('inside', [10, 20], [5, 25]),
    ['levels.1.value levels_value_order'],
  ],
  ['levels of states', levels('==', 'WARN', 'FAULT'), []],
  ['two levels of one value', levels('==', 3, 3), ['levels.1.value levels_value_order']],
  [
    'severities out of order',
    {
      when: { path: 'temp', op: '>' },
      levels: [
        { severity: 5, value: 1 },
        { severity: 3, value: 2 },
      ],
    },
    ['levels.1.severity levels_severity_order'],
  ],
  [
    'a level on the wrong side',
    { when: { path: 'temp', op: '>' }, levels: [{ severity: 5, value: 1, clear: 2 }] },
    ['levels.0.clear clear_wrong_side'],
  ],
  ['a level without its value', levels('>', 1, undefined), ['levels.1.value level_value_missing']],
  [
    'levels that nothing uses',
    { levels: [{ severity: 3, value: 1 }] },
    ['levels.0.value level_values_not_used'],
  ],
  [
    'two comparisons without a limit',
    {
      ...levels('>', 1),
      when: {
        all: [
          { path: 'temp', op: '>' },
          { path: 'speed', op: '>' },
        ],
      },
    },
    ['when.all.1 level_many_leaves'],
  ],
  ['no level', { levels: [] }, ['levels too_few']],
  ['five levels', levels('>', 1, 2, 3, 4, 5), ['levels too_many']],
  ['a delay below zero', { onDelayMs: -1 }, ['onDelayMs too_small']],
  ['a delay over a year', { offDelayMs: ruleLimits.delayMs + 1 }, ['offDelayMs too_large']],
  ['a delay of half a ms', { onDelayMs: 0.5 }, ['onDelayMs wrong_type']],
  ['a delay below zero of a comparison', leaf({ forMs: -1 }), ['when.forMs too_small']],
  [
    'a formula that does not end',
    leaf({ path: undefined, formula: 'temp + (' }),
    ['when.formula formula'],
  ],
  [
    'a formula of 10,000 brackets',
    leaf({ path: undefined, formula: '('.repeat(10_000) }),
    ['when.formula formula'],
  ],
  [
    'a formula that calls itself for ever',
    leaf({ path: undefined, formula: 'f(f(temp))' }),
    ['when.formula formula', 'when.formula formula'],
  ],
  [
    'a formula over a window of time',
    leaf({ path: undefined, formula: 'avgOver(temp, 60)' }),
    ['when.formula formula_window'],
  ],
  [
    'a formula with an unknown path',
    leaf({ path: undefined, formula: 'temp - spee' }),
    ['when.formula unknown_path_similar'],
  ],
  ['a cycle of unless', { unless: { rule: 'second' } }, ['unless.rule unless_cycle']],
  ['unless itself', { unless: { rule: 'mine' } }, ['unless.rule unless_cycle']],
  ['unless a rule that suppresses itself', { unless: { rule: 'round' } }, []],
  ['unless another rule', { unless: { rule: 'other' } }, []],
  ['unless a rule that is gone', { unless: { rule: 'gone' } }, ['unless.rule unless_unknown_rule']],
  ['unless nothing', { unless: {} }, ['unless unless_empty']],
  [
    'unless with a comparison without a limit',
    { unless: { when: { any: [{ path: 'temp', op: '>' }] } } },
    ['unless.when.any.0.value missing'],
  ],
  [
    'unless with a fault',
    { unless: { when: { path: 'tmep', op: '?', value: 1 } } },
    ['unless.when.op not_one_of'],
  ],
  ['a schedule without a window', times(), ['schedule.times schedule_no_day']],
  [
    'a schedule without a day',
    times({ days: [], from: '06:00', to: '22:00' }),
    ['schedule.times.0.days schedule_no_day'],
  ],
  [
    'a window without a length',
    times({ days: [1], from: '06:00', to: '06:00' }),
    ['schedule.times.0.to schedule_empty_window'],
  ],
  [
    'a time that no clock shows',
    times({ days: [1], from: '06:61', to: '24:00' }),
    ['schedule.times.0.from invalid'],
  ],
  [
    'an unknown zone',
    { schedule: { zone: 'Europe/Atlantis', times: [{ days: [1], from: '06:00', to: '22:00' }] } },
    ['schedule.zone unknown_zone'],
  ],
  [
    'an unknown placeholder',
    { texts: { en: '{devic} at {value}' } },
    ['texts.en unknown_placeholder_similar'],
  ],
  [
    'a placeholder of an unknown path',
    { texts: { de: '{Oven:1/pressure|1}' } },
    ['texts.de unknown_placeholder'],
  ],
  [
    'an empty placeholder',
    { texts: { fr: 'x {} {| 1}' } },
    ['texts.fr unknown_placeholder', 'texts.fr unknown_placeholder'],
  ],
  [
    'a placeholder that does not end',
    { texts: { it: '{device' } },
    ['texts.it unclosed_placeholder'],
  ],
  [
    'placeholders and braces',
    { texts: { es: '{{x}} {device} {value|2} {limit} {Oven:1/speed|1}' } },
    [],
  ],
  ['a text in an unknown language', { texts: { xx: 'x' } }, ['texts.xx unknown_field']],
  [
    'arrays within arrays beside arrays',
    {
      when: {
        all: [
          { path: 'zones[*]/temp', op: '>', value: 1 },
          { path: 'zones[*]/heaters[*]/power', op: '>', value: 1 },
        ],
      },
    },
    ['when items_differ'],
  ],
  [
    'a text with items where the rule has none',
    { texts: { en: '{Oven:1/zones[*]/temp}' } },
    ['texts items_differ'],
  ],
  ['a link to a script', { link: 'javascript:alert(1)' }, ['link invalid']],
  ['a group without parts', { when: { all: [] } }, ['when.all too_few']],
  [
    'a group with other fields',
    { when: { any: [{ path: 'temp', op: '>', value: 1 }], op: '>' } },
    ['when.op unknown_field'],
  ],
  ['no condition', { when: undefined }, ['when missing']],
  ['a text as condition', { when: 'temp > 1' }, ['when wrong_type']],
  ['the deepest nesting', { when: nested(ruleLimits.depth - 1) }, []],
  [
    '10,000 levels of brackets',
    { when: nested(10_000) },
    [`when${'.not'.repeat(ruleLimits.depth)} too_deep`],
  ],
  ['silence without a time', { kind: 'silence', when: { path: 'temp' } }, ['when.forMs missing']],
  [
    'silence of an unknown path',
    { kind: 'silence', when: { path: 'sped', forMs: 1 } },
    ['when.path unknown_path_similar'],
  ],
  [
    'connection with a value',
    { kind: 'connection', when: {}, levels: [{ severity: 3, value: 1 }] },
    ['levels.0.value level_values_not_used'],
  ],
]

test.each(cases)('%s', (_, given, expected) => {
  expect(issuesOf(given)).toEqual(expected)
})

test('an unknown path is answered with the nearest, as the model writes it', () => {
  const validated = validateRule(rawRule(leaf({ path: 'Oven:1/zones[2]/tmep' })), known)
  expect(validated).toMatchObject({
    ok: false,
    issues: [
      {
        place: 'when.path',
        nearest: 'Oven:1/zones[*]/temp',
        params: { path: 'Oven:1/zones[2]/tmep' },
      },
    ],
  })
})

test('a cycle is named with its chain', () => {
  const validated = validateRule(rawRule({ unless: { rule: 'second' } }), known)
  expect(validated).toMatchObject({
    ok: false,
    issues: [{ params: { chain: 'mine → second → third → mine' } }],
  })
})

test('many comparisons are named once, and an answer is limited', () => {
  const group = { any: Array.from({ length: 20 }, () => ({ path: 'x', op: '>', value: 1 })) }
  const codes = issuesOf({ when: { all: [group, group, group] } })
  expect(codes).toEqual(['when.all.2.any.10 too_many_leaves'])
  const wrong = { any: Array.from({ length: 20 }, () => ({ op: 1, a: 1, b: 2, c: 3 })) }
  expect(issuesOf({ when: { all: [wrong, wrong] } })).toHaveLength(ruleLimits.issues)
})

test('nothing that is posted throws, and what is valid compiles', () => {
  const shapes = fc.letrec((tie) => ({
    condition: fc.oneof(
      { depthSize: 'small' },
      fc.record(
        {
          path: fc.constantFrom('temp', 'zones[*]/temp'),
          op: fc.constantFrom('>', '<=', '==', 'inside', 'changed'),
          value: fc.constantFrom(1, 'x', true, [1, 2]),
        },
        { requiredKeys: ['op'] },
      ),
      fc.record({
        formula: fc.constantFrom('temp + 1', 'rate(speed)', '('),
        op: fc.constant('>'),
        value: fc.double(),
      }),
      fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ not: tie('condition') }),
      fc.anything(),
    ),
  }))
  const mostly = (usual: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: fc.anything() })
  const anyRule = fc.record(
    {
      when: shapes.condition,
      levels: mostly(fc.constant([{ severity: 3 }])),
      unless: mostly(fc.oneof(fc.constant(undefined), fc.record({ when: shapes.condition }))),
      schedule: mostly(fc.constant(undefined)),
      texts: mostly(fc.record({ en: fc.constantFrom('', '{device}', '{', '{x}') })),
      kind: fc.constantFrom('condition', 'condition', 'condition', 'silence', 'connection', 'x'),
    },
    { requiredKeys: ['when'] },
  )
  let valid = 0
  fc.assert(
    fc.property(anyRule, (given) => {
      const validated = validateRule(rawRule(given), known)
      if (validated.ok) {
        valid += 1
        expect(compileRule(validated.rule).signals.length).toBeGreaterThan(0)
        return
      }
      expect(validated.issues.length).toBeGreaterThan(0)
      for (const { code } of validated.issues) expect(ruleIssueCodes).toContain(code)
    }),
    { numRuns: 500 },
  )
  expect(valid).toBeGreaterThan(0)
  for (const raw of [undefined, null, 3, 'x', []]) expect(validateRule(raw).ok).toBe(false)
})

test.each([
  'constructor.constructor("return process")()',
  'this.constructor',
  '__proto__',
  'constructor',
  'toString()',
  'temp.constructor',
  'process.exit(1)',
  'globalThis',
  'import("node:fs")',
  'while (true) {}',
  'f = () => f()',
  '`${process.env.MASTER_KEY}`',
  'new Array(1e9)',
  '"a".repeat(1e9)',
  `${'('.repeat(9_000)}1${')'.repeat(9_000)}`,
  `temp${' + temp'.repeat(3_000)}`,
  `${'-'.repeat(9_000)}1`,
])(
  'the formula %s reaches nothing but values, and is refused at its place (attack 88)',
  (formula) => {
    const places = new Set(
      issuesOf(leaf({ path: undefined, formula })).map((one) => one.split(' ')[0]),
    )
    expect([...places]).toEqual(['when.formula'])
  },
)

test('names of the language are no values, also where a rule is compiled (attack 88)', () => {
  const names = ['constructor', '__proto__', 'hasOwnProperty', 'toString']
  const rule = rawRule(leaf({ path: undefined, formula: names.join(' + ') }))
  expect(validateRule(rule, { ...known, paths: names.map((name) => `Oven:1/${name}`) }).ok).toBe(
    true,
  )
  const validated: Validated = validateRule(rule, { ...known, paths: [] })
  expect(validated.ok ? [] : validated.issues.map(({ code }) => code)).toContain('unknown_path')
})
