import { expect, test } from 'vitest'
import { carryOver } from './carry-over.ts'
import { compiledOf, textOfChange } from './rule-testing.ts'
import { newInstance } from './state.ts'
import { step } from './step.ts'

type Given = Record<string, unknown>
const above = (value: number) => ({ when: { path: 'temp', op: '>', value } })

/** Changes after a rule was changed at 10 s, with values before and after it. */
function changed(
  old: Given,
  fresh: Given,
  before: [number, number][],
  after: [number, number][] = [],
) {
  const [first, second] = [compiledOf(old), compiledOf(fresh)]
  let instance = newInstance(first)
  for (const [t, v] of before) {
    const input = first.inputs.findIndex((one) => 'path' in one && one.path === 'temp')
    instance = step(first, instance, { t: t * 1_000, values: [[input, v]] }).instance
  }
  const carried = carryOver({ before: first, after: second }, instance, 10_000)
  const changes = [...carried.changes]
  instance = JSON.parse(JSON.stringify(carried.instance)) as typeof instance
  const input = second.inputs.findIndex((one) => 'path' in one && one.path === 'temp')
  for (const [t, v] of [...after, [1_000, NaN] as const]) {
    const stepped = step(second, instance, { t: t * 1_000, values: [[input, v]] })
    instance = stepped.instance
    changes.push(...stepped.changes)
  }
  return changes.map(
    (change) => `${textOfChange(change)}${'reason' in change ? ` ${change.reason}` : ''}`,
  )
}

type Case = [
  title: string,
  old: Given,
  fresh: Given,
  before: [number, number][],
  after: [number, number][],
  expected: string[],
]
const cases: Case[] = [
  [
    'other texts change nothing',
    {},
    { texts: { en: '{device} {other/path}' } },
    [[0, 240]],
    [[20, 0]],
    ['20 return'],
  ],
  [
    'another severity moves the open alarm',
    {},
    { levels: [{ severity: 6 }] },
    [[0, 240]],
    [],
    ['10 severity 6'],
  ],
  [
    'a pending delay lives on',
    { onDelayMs: 20_000 },
    { onDelayMs: 20_000, cause: 'x' },
    [[5, 240]],
    [],
    ['25 raise 3'],
  ],
  [
    'a pending delay that is longer now counts from its beginning',
    { onDelayMs: 20_000 },
    { onDelayMs: 60_000 },
    [[5, 240]],
    [],
    ['65 raise 3'],
  ],
  [
    'a pending delay that is over by the new rule raises now',
    { onDelayMs: 20_000 },
    { onDelayMs: 2_000 },
    [[5, 240]],
    [],
    ['10 raise 3'],
  ],
  [
    'an open alarm goes on while the new condition holds',
    {},
    { ...above(235), onDelayMs: 60_000 },
    [[0, 240]],
    [
      [20, 236],
      [30, 235],
    ],
    ['30 return'],
  ],
  [
    'an open alarm of which the new condition does not hold ends',
    {},
    above(250),
    [[0, 240]],
    [[20, 251]],
    ['10 return rule_changed', '20 raise 3'],
  ],
  [
    'an open alarm without the new path ends',
    {},
    { when: { path: 'other', op: '>', value: 1 } },
    [[0, 240]],
    [],
    ['10 return rule_changed'],
  ],
  [
    'an open alarm takes the level of the new rule',
    {},
    {
      when: { path: 'temp', op: '>' },
      levels: [
        { severity: 1, value: 100 },
        { severity: 5, value: 239 },
      ],
    },
    [[0, 240]],
    [[20, 200]],
    ['10 severity 5', '20 severity 1'],
  ],
  [
    'a new condition that holds raises from the change on',
    above(250),
    { ...above(230), onDelayMs: 5_000 },
    [[0, 240]],
    [],
    ['15 raise 3'],
  ],
  [
    'a comparison that held long enough goes on',
    {},
    { when: { path: 'temp', op: '>', value: 235, forMs: 9_000 } },
    [[0, 240]],
    [[20, 0]],
    ['20 return'],
  ],
  [
    'unless of the new rule hides an open alarm',
    {},
    { unless: { when: { path: 'temp', op: '>', value: 235 } } },
    [[0, 240]],
    [[20, 0]],
    ['10 hidden', '20 shown', '20 return'],
  ],
]

test.each(cases)('rule changed: %s', (...given) => {
  const [, old, fresh, before, after, expected] = given
  expect(changed(old, fresh, before, after)).toEqual(expected)
})
