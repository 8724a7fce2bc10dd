import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CompiledPolicy, compilePolicy } from './compile-policy.ts'
import { readPolicy } from './policy.ts'
import { type Instance, newInstance } from './state.ts'
import { step } from './step.ts'

type Raw = Record<string, unknown>
const band = (given: Raw = {}) => ({
  type: 'ANALOG_BAND',
  modelPathMatcher: '**/a',
  inside: true,
  min: 10,
  max: 20,
  ...given,
})
const level = (given: Raw = {}) => ({
  type: 'ON_LEVEL',
  modelPathMatcher: '**/a',
  mode: 'ON_ENTER',
  ...given,
})
const changed = (given: Raw = {}) => ({ type: 'ON_CHANGED', modelPathMatcher: '**/a', ...given })
const every = { type: 'PASSTHROUGH', modelPathMatcher: '**/a' }
const both = (...innerPolicies: Raw[]) => ({ type: 'AND_OPERATOR', innerPolicies })
const either = (...innerPolicies: Raw[]) => ({ type: 'OR_OPERATOR', innerPolicies })

function policyOf(raw: unknown) {
  const read = readPolicy(raw)
  if (!read.ok) throw new Error(JSON.stringify(read.issues))
  return read.policy
}
const devicePaths = ['P:1/a', 'P:1/b', 'P:1/c/a']

/** Values of `a` and `b` at times in seconds. */
type Rows = [t: number, a: unknown, b?: unknown][]

/** Times at which a policy fires, in seconds; for several instances with their names. */
function firings(raw: Raw, rows: Rows, paths = ['P:1/a', 'P:1/b']) {
  return compilePolicy(policyOf(raw), paths).flatMap(({ rule, instance: name }) => {
    let instance: Instance = newInstance(rule)
    const fired: number[] = []
    for (const [t, a, b] of [...rows, [1_000, undefined] as Rows[number]]) {
      const values = rule.inputs.flatMap((input, index) => {
        const v = 'path' in input && input.path !== 'b' ? a : b
        return v === undefined ? [] : [[index, v] as const]
      })
      const stepped = step(rule, instance, { t: t * 1_000, values })
      instance = JSON.parse(JSON.stringify(stepped.instance)) as Instance
      for (const { kind, t } of stepped.changes) if (kind === 'raise') fired.push(t / 1_000)
    }
    return fired.length > 0 ? [`${name} ${fired.join(' ')}`] : []
  })
}

const a = 'P:1/a'
type Case = [title: string, policy: Raw, rows: Rows, expected: string[]]
const cases: Case[] = [
  [
    'inside a band, ends included',
    band(),
    [
      [0, 9],
      [1, 10],
      [2, 20],
      [3, 21],
      [4, 15],
    ],
    [`${a} 1 4`],
  ],
  [
    'inside a band, ends excluded',
    band({ minOrEqual: false, maxOrEqual: false }),
    [
      [0, 10],
      [1, 20],
      [2, 19],
    ],
    [`${a} 2`],
  ],
  [
    'outside of a band',
    band({ inside: false }),
    [
      [0, 20],
      [1, 20.5],
      [2, 10],
      [3, 9],
    ],
    [`${a} 1 3`],
  ],
  [
    'a band that is open above',
    band({ max: undefined }),
    [
      [0, 9],
      [1, 1_000],
    ],
    [`${a} 1`],
  ],
  [
    'a band has to hold for its time (ms)',
    band({ time: 5_000 }),
    [
      [0, 15],
      [4, 0],
      [5, 15],
    ],
    [`${a} 10`],
  ],
  [
    'entering a level',
    level({ level: 5 }),
    [
      [0, 4],
      [1, 5],
      [2, 9],
      [3, 4],
      [4, 6],
    ],
    [`${a} 1 4`],
  ],
  [
    'entering a truth',
    level({ levelBool: true }),
    [
      [0, false],
      [1, true],
      [2, 1],
      [3, 0],
      [4, true],
    ],
    [`${a} 1 4`],
  ],
  [
    'leaving a level, not what was outside at first',
    level({ level: 5, mode: 'ON_EXIT' }),
    [
      [0, 4],
      [1, 6],
      [2, 4],
      [3, 3],
      [4, 6],
      [5, 1],
    ],
    [`${a} 2 5`],
  ],
  [
    'entering a band as a level',
    level({ min: 10, max: 20 }),
    [
      [0, 25],
      [1, 15],
      [2, 16],
      [3, 5],
      [4, 10],
    ],
    [`${a} 1 4`],
  ],
  [
    'the first entries are skipped',
    level({ level: 5, skipFirstChanges: 2 }),
    [
      [0, 6],
      [1, 1],
      [2, 6],
      [3, 7],
      [4, 1],
      [5, 6],
    ],
    [`${a} 5`],
  ],
  [
    'the first exits are skipped',
    level({ level: 5, mode: 'ON_EXIT', skipFirstChanges: 1 }),
    [
      [0, 1],
      [1, 6],
      [2, 1],
      [3, 6],
      [4, 1],
    ],
    [`${a} 4`],
  ],
  [
    'changes are impulses, the first value is none',
    changed(),
    [
      [0, 1],
      [1, 1],
      [2, 2],
      [3, 3],
    ],
    [`${a} 2 3`],
  ],
  [
    'changes beyond a dead-band of the last that counted',
    changed({ deadband: 2 }),
    [
      [0, 1],
      [1, 3],
      [2, 3.5],
      [3, 5],
      [4, 6],
    ],
    [`${a} 2 4`],
  ],
  [
    'a dead-band in percent',
    changed({ deadband: 10, isPercentage: true }),
    [
      [0, 100],
      [1, 110],
      [2, 111],
      [3, 122],
      [4, 123],
    ],
    [`${a} 2 4`],
  ],
  [
    'the first changes are skipped',
    changed({ skipFirstNChanges: 2 }),
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ],
    [`${a} 3 4`],
  ],
  [
    'each timestamp',
    changed({ changeMask: 'TIMESTAMP_CHANGED' }),
    [
      [0, 1],
      [1, 1],
      [2, 1],
    ],
    [`${a} 1 2`],
  ],
  [
    'each value passes',
    every,
    [
      [0, 1],
      [1, 1],
      [2, { x: 1 }],
    ],
    [`${a} 0 1 2`],
  ],
  [
    'AND of levels fires when the last begins to hold',
    both(band(), level({ modelPathMatcher: '**/b', level: 1 })),
    [
      [0, 15, 0],
      [1, undefined, 1],
      [2, 16, 2],
      [3, 0],
      [4, 15],
    ],
    [' 1 4'],
  ],
  [
    'AND fires on an impulse while levels hold',
    both(every, level({ modelPathMatcher: '**/b', level: 1 })),
    [
      [0, 1, 0],
      [1, 1, 1],
      [2, 1],
      [3, undefined, 2],
      [4, 5],
      [5, 5, 0],
    ],
    [' 1 2 4'],
  ],
  [
    'OR of levels fires when the first begins to hold',
    either(band(), level({ modelPathMatcher: '**/b', level: 1 })),
    [
      [0, 15, 0],
      [1, undefined, 1],
      [2, 0],
      [3, undefined, 0],
      [4, undefined, 1],
    ],
    [' 0 4'],
  ],
  [
    'OR with an impulse fires for it while a level holds',
    either({ ...every, uuid: 'u' }, level({ modelPathMatcher: '**/b', level: 1 })),
    [
      [0, undefined, 1],
      [1, 5],
      [2, 5],
    ],
    [' 0', `u/${a} 1 2`],
  ],
]

test.each(cases)('policy: %s', (_, policy, rows, expected) => {
  expect(firings(policy, rows)).toEqual(expected)
})

test('a matcher fires for each of its paths', () => {
  const compiled: CompiledPolicy[] = compilePolicy(policyOf(every), devicePaths)
  expect(compiled.map(({ instance }) => instance)).toEqual(['P:1/a', 'P:1/c/a'])
  expect(compilePolicy(policyOf({ ...every, modelPathMatcher: 'P:*/x' }), devicePaths)).toEqual([])
})

test('a connection fires when it holds for its time', () => {
  const [compiled] = compilePolicy(
    policyOf({ type: 'CONNECTION', source: 'IOT', status: 'OFF', time: 60_000 }),
    [],
  )
  const { rule } = compiled!
  expect(rule.inputs).toEqual([{ kind: 'connection', source: 'IOT' }])
  let instance = newInstance(rule)
  instance = step(rule, instance, { t: 0, values: [[0, true]] }).instance
  instance = step(rule, instance, { t: 1_000, values: [[0, false]] }).instance
  expect(step(rule, instance, { t: 100_000, values: [] }).changes).toMatchObject([
    { kind: 'raise', t: 61_000 },
  ])
})

const nested = (depth: number) => {
  let policy: Raw = every
  for (let at = 0; at < depth; at += 1) policy = both(policy)
  return policy
}
test.each<[string, unknown, string[]]>([
  ['no policy', undefined, ['policy missing']],
  ['an unknown type', { type: 'MAGIC' }, ['policy.type not_one_of']],
  [
    'a matcher that is a regular expression',
    { ...every, modelPathMatcher: 'a.*b' },
    ['policy.modelPathMatcher invalid'],
  ],
  ['a band whose ends are exchanged', band({ min: 30 }), ['policy.max band_order']],
  ['a band without ends', { type: 'ANALOG_BAND', modelPathMatcher: '**' }, ['policy.min missing']],
  ['a level without a level', level(), ['policy.level missing']],
  ['a time below zero', band({ time: -1 }), ['policy.time too_small']],
  ['a group without parts', both(), ['policy.innerPolicies too_few']],
  [
    'a fault within a group',
    both(every, { type: 'CONNECTION' }),
    ['policy.innerPolicies.1.status missing'],
  ],
  ['10,000 levels of groups', nested(10_000), [`policy${'.innerPolicies.0'.repeat(16)} too_deep`]],
])('policy_invalid: %s', (_, raw, expected) => {
  const read = readPolicy(raw)
  expect(read.ok ? [] : read.issues.map(({ place, code }) => `${place} ${code}`)).toEqual(expected)
})

test('no policy that is posted throws', () => {
  fc.assert(
    fc.property(fc.anything(), (raw) => {
      const read = readPolicy(raw)
      if (!read.ok) expect(read.issues.length).toBeGreaterThan(0)
    }),
  )
})
