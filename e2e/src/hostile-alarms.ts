import { addressRow, deep, type HostileRow, type Kind, many, row } from './hostile-row.ts'

const alarms = 'platform/api/v1/alarms'
const org = 'organization=main'
const post = (path: string, good: unknown): Kind => ({
  method: 'POST',
  path: `${alarms}/${path}?${org}`,
  good,
  answered: 200,
})
const rule = (more: object = {}) => ({
  rule: {
    name: 'Hot',
    kind: 'condition',
    scope: { model: 'B:1' },
    when: { path: 'B:1/p0', op: '>' },
    levels: [{ severity: 5, value: 230 }],
    ...more,
  },
})
const ofRules = post('rules/validate', rule())
const now = Date.now()
const trial = (more: object = {}, devices: readonly string[] = ['{device}']) => ({
  ...rule(more),
  devices,
  from: now - 86_400_000,
  to: now,
})
const ofTrials = post('rules/try', trial())
const ofSearch = post('search', { data: 'status == "ACTIVE"' })
const leaf = { path: 'B:1/p0', op: '>', value: 1 }
/** Groups in each other. */
const nested = (depth: number): object =>
  Array.from({ length: depth }).reduce<object>((inner) => ({ all: [inner, leaf] }), leaf)

/** Requests to the alarms service. */
export const rows: readonly HostileRow[] = [
  row(ofRules, 'alarms: a rule of 10,000 levels of brackets', () => rule({ when: deep(10_000) })),
  row(ofRules, 'alarms: a condition of 300 groups in each other', () =>
    rule({ when: nested(300) }),
  ),
  row(ofRules, 'alarms: a group of 40,000 comparisons', () =>
    rule({ when: { any: many(9_000, () => leaf) } }),
  ),
  row(ofRules, 'alarms: a formula of 9,900 characters', () =>
    rule({ when: { formula: `p0${' + p0'.repeat(1_900)}`, op: '>', value: 1 } }),
  ),
  row(ofRules, 'alarms: 9,000 levels', () =>
    rule({ levels: many(9_000, (n) => ({ severity: 5, value: n })) }),
  ),
  row(ofRules, 'alarms: a text of placeholders', () =>
    rule({ texts: { en: '{p0}'.repeat(100_000) } }),
  ),
  row(ofTrials, 'alarms: a trial of a condition of 10,000 levels', () =>
    trial({ when: deep(10_000) }),
  ),
  row(
    ofTrials,
    'alarms: a trial of all the time there is, on twenty times the same device',
    () => ({
      ...trial(
        {},
        many(20, () => '{device}'),
      ),
      from: -8e15,
      to: 8e15,
    }),
    [200, 400, 422],
  ),
  row(
    ofTrials,
    'alarms: a trial of a rule with 50 comparisons and 20 windows a day',
    () =>
      trial({
        when: { any: many(20, (n) => ({ ...leaf, value: n })) },
        levels: [{ severity: 5 }],
        schedule: {
          zone: 'Europe/Rome',
          times: many(50, (n) => ({
            days: [0, 1, 2, 3, 4, 5, 6],
            from: `00:${10 + (n % 40)}`,
            to: '00:09',
          })),
        },
      }),
    [200, 422],
  ),
  row(ofTrials, 'alarms: a trial of a formula of 9,900 characters', () =>
    trial({
      when: { formula: `p0${' + p0'.repeat(1_900)}`, op: '>', value: 1 },
      levels: [{ severity: 5 }],
    }),
  ),
  row(ofSearch, 'alarms: an expression of 2,000 parts', () => ({
    data: many(2_000, (n) => `name == "a${n}"`)
      .join(' or ')
      .slice(0, 9_990),
  })),
  row(ofSearch, 'alarms: a pattern of stars', () => ({ data: `name ~= "${'*a'.repeat(4_000)}"` })),
  row(ofSearch, 'alarms: 3,000 brackets', () => ({
    data: `${'('.repeat(3_000)}status == "ACTIVE"${')'.repeat(3_000)}`,
  })),
  row(post('list', {}), 'alarms: a search for 500 stars', () => ({ search: '*%_'.repeat(160) })),
  row(
    post('rules/import', { rules: [] }),
    'alarms: 1,000 rules in a file',
    () => ({ rules: many(1_000, (n) => rule({ name: `Rule ${n}` })) }),
    [200, 400, 413, 422],
  ),
  row(
    {
      ...post('shelves', { target: { type: 'class', id: 'A' }, reason: 'test', until: 0 }),
      answered: 422,
    },
    'alarms: a shelf of a class of 500 characters until the end of time',
    () => ({
      target: { type: 'class', id: '%'.repeat(500) },
      reason: 'other',
      note: 'a'.repeat(2_000),
      until: 1e300,
    }),
    [422],
  ),
  row(
    {
      ...post('shelves/alarms', { ids: ['A'.repeat(22)], reason: 'test', until: 0 }),
      answered: 422,
    },
    'alarms: 1,000 alarms on shelves',
    () => ({
      ids: many(1_000, (n) => String(n).padStart(22, 'A')),
      reason: 'test',
      until: Date.now() + 3_600_000,
    }),
    [200],
  ),
  row(
    { ...post('views', { name: 'A', content: { list: 'open', filters: {} } }), answered: 201 },
    'alarms: a view of 9,000 filters',
    () => ({
      name: 'A',
      content: {
        list: 'open',
        filters: Object.fromEntries(many(9_000, (n) => [`f${n}`, 'a'.repeat(100)])),
      },
    }),
    [400, 413],
  ),
  addressRow(
    { method: 'GET', path: `${alarms}/shelves?${org}`, good: undefined, answered: 200 },
    'alarms: shelves of 400 words',
    () => `${alarms}/shelves?${org}&search=${'a%20'.repeat(120)}`,
  ),
  addressRow(
    {
      method: 'GET',
      path: `${alarms}/severityCountByDevice?${org}`,
      good: undefined,
      answered: 200,
    },
    'alarms: counts of devices of a long filter',
    () =>
      `${alarms}/severityCountByDevice?${org}&filter=${'label%20~%3D%20%22a%22%20or%20'.repeat(150)}`,
  ),
  addressRow(
    {
      method: 'GET',
      path: `${alarms}/report?${org}&from=0&to=1`,
      good: undefined,
      answered: 200,
    },
    'alarms: a report of 400 days in twelve shifts',
    () => {
      const shifts = many(12, (n) => `${String(2 * n).padStart(2, '0')}:30`).join(',')
      return `${alarms}/report?${org}&from=0&to=34560000000&shifts=${shifts}&zone=Asia/Kathmandu`
    },
  ),
]
