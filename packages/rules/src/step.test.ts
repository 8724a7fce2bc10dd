import { expect, test } from 'vitest'
import { changesOf, compiledOf, replayedOf, type Row } from './rule-testing.ts'

type Case = [title: string, rule: Record<string, unknown>, rows: Row[], expected: string[]]
const above = { path: 'temp', op: '>', value: 230 }
const leaf = (given: Record<string, unknown>) => ({ when: { path: 'temp', ...given } })

const cases: Case[] = [
  [
    'at the limit nothing is above it',
    {},
    [
      [0, 230],
      [1, 230.1],
      [2, 230],
    ],
    ['1 raise 3', '2 return'],
  ],
  [
    'at the limit of >= it holds',
    leaf({ op: '>=', value: 230 }),
    [
      [0, 229.9],
      [1, 230],
      [2, 229],
    ],
    ['1 raise 3', '2 return'],
  ],
  [
    '< and <= mirror them',
    leaf({ op: '<', value: 5 }),
    [
      [0, 5],
      [1, 4.9],
      [2, 5],
    ],
    ['1 raise 3', '2 return'],
  ],
  [
    'at the limit of <= it holds',
    leaf({ op: '<=', value: 5 }),
    [
      [0, 5],
      [1, 5.1],
    ],
    ['0 raise 3', '1 return'],
  ],
  ['the first value raises', {}, [[0, 240]], ['0 raise 3']],
  [
    'a dead-band keeps it until the clear limit',
    leaf({ op: '>', value: 230, clear: 225 }),
    [
      [0, 231],
      [1, 228],
      [2, 225.1],
      [3, 225],
      [4, 228],
    ],
    ['0 raise 3', '3 return'],
  ],
  [
    'a dead-band below',
    leaf({ op: '<', value: 10, clear: 12 }),
    [
      [0, 9],
      [1, 11.9],
      [2, 12],
      [3, 11],
    ],
    ['0 raise 3', '2 return'],
  ],
  [
    'inside includes its ends',
    leaf({ op: 'inside', value: [10, 20], clear: [9, 21] }),
    [
      [0, 9.5],
      [1, 10],
      [2, 21],
      [3, 21.1],
      [4, 20],
    ],
    ['1 raise 3', '3 return', '4 raise 3'],
  ],
  [
    'outside excludes its ends',
    leaf({ op: 'outside', value: [10, 20], clear: [11, 19] }),
    [
      [0, 20],
      [1, 20.1],
      [2, 19.5],
      [3, 19],
      [4, 9],
    ],
    ['1 raise 3', '3 return', '4 raise 3'],
  ],
  [
    'equality of texts',
    leaf({ op: '==', value: 'FAULT' }),
    [
      [0, 'OK'],
      [1, 'FAULT'],
      [2, 'ok'],
    ],
    ['1 raise 3', '2 return'],
  ],
  [
    'true equals 1',
    leaf({ op: '==', value: true }),
    [
      [0, 0],
      [1, 1],
      [2, true],
      [3, false],
    ],
    ['1 raise 3', '3 return'],
  ],
  [
    'a text contains a part',
    leaf({ op: 'contains', value: 'E4' }),
    [
      [0, 'E1,E4'],
      [1, 'E1'],
    ],
    ['0 raise 3', '1 return'],
  ],
  [
    'NaN, null, lists and texts change nothing',
    {},
    [
      [0, 240],
      [1, NaN],
      [2, null],
      [3, [[1], 0]],
      [4, 'x'],
      [5, Infinity],
      [6, 200],
    ],
    ['0 raise 3', '6 return'],
  ],
  [
    'NaN first raises nothing',
    {},
    [
      [0, NaN],
      [1, null],
    ],
    [],
  ],
  [
    'bad quality changes nothing with hold',
    {},
    [
      [0, [240, 2]],
      [1, [240, 0]],
      [2, [100, 2]],
      [3, [100, 1]],
    ],
    ['1 raise 3', '3 return'],
  ],
  [
    'bad quality raises with alarm',
    { quality: 'alarm' },
    [
      [0, [100, 0]],
      [1, [100, 2]],
      [2, [100, 0]],
    ],
    ['1 raise 3', '2 return'],
  ],
  [
    'on-delay: the raise bears the due time',
    { onDelayMs: 10_000 },
    [
      [0, 240],
      [60, 100],
    ],
    ['10 raise 3', '60 return'],
  ],
  [
    'on-delay: a return before it is due raises nothing',
    { onDelayMs: 10_000 },
    [
      [0, 240],
      [9.999, 100],
    ],
    [],
  ],
  [
    'on-delay: a value at the due time comes after it',
    { onDelayMs: 10_000 },
    [
      [0, 240],
      [10, 100],
    ],
    ['10 raise 3', '10 return'],
  ],
  ['on-delay runs without another message', { onDelayMs: 10_000 }, [[0, 240]], ['10 raise 3']],
  [
    'on-delay goes on over bad quality',
    { onDelayMs: 10_000 },
    [
      [0, 240],
      [5, [0, 2]],
    ],
    ['10 raise 3'],
  ],
  [
    'off-delay: a dip shorter than it is no return',
    { offDelayMs: 5_000 },
    [
      [0, 240],
      [1, 100],
      [5, 240],
      [8, 100],
    ],
    ['0 raise 3', '13 return'],
  ],
  [
    'on-delay and off-delay',
    { onDelayMs: 10_000, offDelayMs: 5_000 },
    [
      [0, 240],
      [10.5, 100],
      [12, 240],
      [20, 100],
    ],
    ['10 raise 3', '25 return'],
  ],
  [
    'a gap of a day changes nothing',
    {},
    [
      [0, 240],
      [86_400, 241],
      [86_401, 100],
    ],
    ['0 raise 3', '86401 return'],
  ],
  [
    'forMs of a leaf, before the delay',
    { when: { ...above, forMs: 4_000 }, onDelayMs: 6_000 },
    [
      [0, 240],
      [11, 100],
    ],
    ['10 raise 3', '11 return'],
  ],
  [
    'values of one time are judged together',
    { when: { all: [above, { path: 'door', op: '==', value: true }] } },
    [
      [0, 100, true],
      [1, 240, false],
      [2, 100, true],
    ],
    [],
  ],
  [
    'each leaf has its own delay',
    {
      when: {
        all: [
          { ...above, forMs: 5_000 },
          { path: 'door', op: '==', value: true, forMs: 2_000 },
        ],
      },
    },
    [
      [0, 240, false],
      [4, undefined, true],
    ],
    ['6 raise 3'],
  ],
  [
    'any and not',
    { when: { any: [above, { not: { path: 'door', op: '==', value: false } }] } },
    [
      [0, 100, false],
      [1, undefined, true],
      [2, 240],
      [3, undefined, false],
      [4, 1],
    ],
    ['1 raise 3', '4 return'],
  ],
  [
    'unknown and false is false, unknown or true is true',
    {
      when: {
        any: [
          { all: [above, { path: 'door', op: '==', value: 1 }] },
          { path: 'stop', op: '==', value: 1 },
        ],
      },
    },
    [
      [0, 100, undefined, 1],
      [1, undefined, undefined, 0],
    ],
    ['0 raise 3', '1 return'],
  ],
  [
    'unknown or false changes nothing',
    { when: { any: [above, { path: 'door', op: '==', value: 1 }] } },
    [
      [0, undefined, 1],
      [1, undefined, 0],
    ],
    ['0 raise 3'],
  ],
  [
    'another path is the limit, with a dead-band',
    { when: { path: 'temp', op: '>', otherPath: 'target', clear: 5 } },
    [
      [0, 100, 90],
      [1, undefined, 104],
      [2, undefined, 105],
      [3, 106],
    ],
    ['0 raise 3', '2 return', '3 raise 3'],
  ],
  [
    'a formula',
    { when: { formula: 'target - temp', op: '>', value: 15, forMs: 60_000 } },
    [
      [0, 200, 100],
      [30, 210],
      [61, 110],
    ],
    ['60 raise 3', '61 return'],
  ],
  [
    'a formula that looks back',
    { when: { formula: 'rate(temp)', op: '>', value: 2 } },
    [
      [0, 10],
      [1, 11],
      [2, 15],
      [4, 16],
    ],
    ['2 raise 3', '4 return'],
  ],
  [
    'a formula without a value changes nothing',
    { when: { formula: '100 / temp', op: '>', value: 2 } },
    [
      [0, 10],
      [1, 0],
      [2, 100],
    ],
    ['0 raise 3', '2 return'],
  ],
  [
    'levels are one alarm whose severity moves',
    {
      when: { path: 'temp', op: '>' },
      levels: [
        { severity: 3, value: 215, clear: 210 },
        { severity: 6, value: 230, clear: 225 },
      ],
    },
    [
      [0, 216],
      [1, 231],
      [2, 226],
      [3, 225],
      [4, 211],
      [5, 235],
      [6, 200],
    ],
    ['0 raise 3', '1 severity 6', '3 severity 3', '5 severity 6', '6 return'],
  ],
  [
    'a level has to hold for the delay too',
    {
      onDelayMs: 5_000,
      when: { path: 'temp', op: '>' },
      levels: [
        { severity: 3, value: 215 },
        { severity: 6, value: 230 },
      ],
    },
    [
      [0, 235],
      [1, 220],
      [7, 240],
      [20, 0],
    ],
    ['5 raise 3', '12 severity 6', '20 return'],
  ],
  [
    'changed counts for its time',
    leaf({ op: 'changed', forMs: 3_000 }),
    [
      [0, 1],
      [1, 1],
      [2, 2],
      [4, 3],
      [9, 3],
    ],
    ['2 raise 3', '7 return'],
  ],
  [
    'changed without a time is a moment',
    leaf({ op: 'changed' }),
    [
      [0, 1],
      [1, 1],
      [2, 2],
    ],
    ['2 raise 3', '2 return'],
  ],
  [
    'not changed for a time',
    { when: { not: { path: 'temp', op: 'changed', forMs: 60_000 } } },
    [
      [0, 1],
      [10, 2],
      [80, 3],
    ],
    ['70 raise 3', '80 return', '140 raise 3'],
  ],
]

test.each(cases)('%s', (_, given, rows, expected) => {
  const rule = compiledOf(given)
  expect(changesOf(rule, rows)).toEqual(expected)
  expect(replayedOf(rule, rows)).toEqual(expected)
})
