// Calls that are made to cost much, with the same call as it is meant. A service to come adds rows.

export type HostileRow = {
  name: string
  method: string
  /** Below `/svc/`. */
  path: string
  /** Who asks: the owner, or nobody. */
  as?: 'nobody'
  /** The body; `{nested: n}` stands for so many lists in each other. */
  hostile: () => unknown
  /** Statuses that a hostile body may be answered with. */
  refused: readonly number[]
  /** The call as it is meant, and its status. */
  good: unknown
  answered: number
}

const many = <T>(length: number, one: (n: number) => T) => Array.from({ length }, (_, n) => one(n))
/** Nested lists; their text is made by hand, since `JSON.stringify` would be too deep as well. */
const deep = (depth: number) => ({ nested: depth })
const leaves = (count: number, leaf: object = { type: 'double' }) => ({
  type: 'object',
  instanceOf: 'B:1.0.0',
  properties: Object.fromEntries(many(count, (n) => [`p${n}`, leaf])),
})
export const smallModel = leaves(2)
const small = smallModel

const users = 'core/api/v1/organizations/main/users/import?dryRun=true'
const devices = 'mappings/api/v1/devices/imports?organization=main&dryRun=true'
const validate = 'mappings/api/v1/models/validate?organization=main'
const models = 'mappings/api/v1/models?organization=main'
const presets = 'mappings/api/v1/presets/validate?organization=main'
const formulas = 'platform/api/v1/preset/formula/validate'
const search = 'mappings/api/v1/devices/search?organization=main'

const people = 'username,email\nanna,anna@example.org\n'
const machines = 'label,serialNumber\nOven,4711\n'
const wide = (columns: number) => `${many(columns, (n) => `c${n}`).join()}\nx\n`
const long = (first: string, line: (n: number) => string, lines: number) =>
  `${first}\n${many(lines, line).join('\n')}\n`

type Kind = Omit<HostileRow, 'name' | 'hostile' | 'refused'>
const ofPeople: Kind = { method: 'POST', path: users, good: { csv: people }, answered: 200 }
const ofDevices: Kind = { method: 'POST', path: devices, good: { csv: machines }, answered: 200 }
const ofTexts: Kind = {
  method: 'POST',
  path: validate,
  good: { text: JSON.stringify(small) },
  answered: 200,
}
const ofPresets: Kind = { method: 'POST', path: presets, good: { data: small }, answered: 200 }
const ofSearch: Kind = {
  method: 'POST',
  path: search,
  good: { data: 'label == "Oven"' },
  answered: 200,
}
const formula = (map: string) => ({ formula: { functions: { formula: { map } } } })
const ofFormulas: Kind = { method: 'POST', path: formulas, good: formula('a + 1'), answered: 200 }

const refusedTable = [400, 413, 422]
const answeredOrRefused = [200, 400, 413, 422]

const row = (kind: Kind, name: string, hostile: () => unknown, refused = answeredOrRefused) => ({
  ...kind,
  name,
  hostile,
  refused,
})

export const hostileTable: readonly HostileRow[] = [
  row(ofPeople, 'people: 50,000 columns', () => ({ csv: wide(50_000) }), refusedTable),
  row(ofPeople, 'people: 400,000 columns', () => ({ csv: wide(400_000) }), refusedTable),
  row(ofPeople, 'people: one cell of 3 MB', () => ({
    csv: `username,groups\nx,"${'a;'.repeat(1_500_000)}"\n`,
  })),
  row(ofPeople, 'people: 5,000 lines with 50 unknown groups each', () => ({
    csv: long('username,groups', (n) => `u${n},${many(50, (g) => `g${g}`).join('|')}`, 5_000),
  })),
  row(ofDevices, 'devices: 50,000 columns', () => ({ csv: wide(50_000) }), refusedTable),
  row(ofDevices, 'devices: 200,000 lines', () => ({
    csv: long('label,serialNumber', (n) => `Oven ${n},${n}`, 200_000),
  })),
  row(ofDevices, 'devices: 5,000 lines of 50 attributes', () => ({
    csv: long(
      `label,${many(50, (n) => `attributes.a${n}`).join()}`,
      (n) => `Oven ${n},${many(50, String).join()}`,
      5_000,
    ),
  })),
  row(ofTexts, 'models: a text of 80,000 leaves', () => ({ text: JSON.stringify(leaves(60_000)) })),
  row(ofTexts, 'models: 10,000 leaves with problems', () => ({
    text: JSON.stringify(leaves(10_000, { type: 'double', unit: 1, label: 2, min: 'x', max: 'y' })),
  })),
  row(ofTexts, 'models: a text without an end', () => ({ text: `"${'a'.repeat(1_900_000)}` })),
  row(ofTexts, 'models: names of 4 kB, 400 deep', () => ({
    text: `{"${'k'.repeat(4_000)}":`.repeat(400) + '1' + '}'.repeat(400),
  })),
  row(ofTexts, 'models: numbers in a list', () => ({ text: `[${'1,'.repeat(900_000)}1]` })),
  row(ofTexts, 'models: a tree of 40,000 leaves', () => ({ data: leaves(40_000) })),
  row(ofTexts, 'models: a tree with one long name', () => ({
    data: {
      type: 'object',
      instanceOf: 'B:1.0.0',
      properties: { [`p${'x'.repeat(1_000_000)}`]: leaves(5_000) },
    },
  })),
  row(
    { method: 'POST', path: models, good: { name: 'Good', data: small }, answered: 201 },
    'models: 5,000 models in one',
    () => ({
      name: 'Many',
      settle: true,
      data: leaves(5_000, { type: 'object', properties: { a: { type: 'double' } } }),
    }),
    refusedTable,
  ),
  row(
    { method: 'POST', path: models, good: { name: 'Plain', data: small }, answered: 201 },
    'models: a million numbers beside the properties',
    () => ({ name: 'Beside', data: { ...small, more: many(1_000_000, () => 0) } }),
    [201, 400, 409, 413],
  ),
  row(ofPresets, 'presets: 2,000 formulas with mistyped paths', () => ({
    data: leaves(2_000, {
      type: 'double',
      datalink: {
        type: 'formula',
        source: {
          functions: { formula: { map: many(20, (n) => `path${'x'.repeat(60)}${n}`).join(' + ') } },
        },
      },
    }),
  })),
  row(
    {
      method: 'POST',
      path: 'platform/api/v1/organizations/main/devices/bulkInsertTags',
      good: [],
      answered: 200,
    },
    'values: 200,000 in one call to a device that is not there',
    () => [{ deviceId: 'x', modelPath: 'y', data: many(200_000, (n) => [n, n]) }],
    [404],
  ),
  row(ofFormulas, 'formulas: mistyped paths of 200 characters among 20,000', () => ({
    ...formula(many(40, (n) => `a${'x'.repeat(195)}${n}`).join(' + ')),
    paths: many(5_000, (n) => `b${'x'.repeat(190)}${n}`),
  })),
  row(ofFormulas, 'formulas: a thousand unknown functions', () =>
    formula(many(900, () => 'avgOver5(a)').join('+')),
  ),
  row(ofSearch, 'search: 700 conditions', () => ({
    data: many(700, () => 'label=="a"')
      .join(' or ')
      .slice(0, 9_998),
  })),
  row(ofSearch, 'search: 10,000 ids', () => ({
    filters: { deviceIds: many(10_000, (n) => `${n}`.padEnd(90, 'x')) },
  })),
  row(ofSearch, 'search: 900,000 ids that are no texts', () => ({
    filters: { deviceIds: many(900_000, () => 0) },
  })),
  row(ofSearch, 'search: 100,000 fields to search', () => ({
    filters: { searchFields: many(100_000, () => 'label'), searchValues: many(100_000, () => 'a') },
  })),
  row(ofPeople, 'people: a mapping of 150,000 columns that are none', () => ({
    csv: people,
    mapping: Object.fromEntries(many(150_000, (n) => [`c${n}`, 1])),
  })),
  row(
    { method: 'POST', path: 'core/api/v1/organizations/main/roles', good: {}, answered: 400 },
    'roles: 200,000 actions in a rule',
    () => ({ name: 'x', rules: [{ resource: 'devices', actions: many(200_000, () => 'readx') }] }),
  ),
  row(
    { method: 'POST', path: 'platform/api/v1/organizations/main/views', good: {}, answered: 400 },
    'views: a question nested 150,000 deep',
    () => ({ name: 'deep', query: { a: deep(150_000) } }),
  ),
  row(
    { method: 'POST', path: 'core/api/v1/setup', as: 'nobody', good: {}, answered: 400 },
    'a stranger: 1.9 MB of small objects',
    () => many(600_000, () => ({})),
    [400, 404, 413, 429],
  ),
  row(
    { method: 'POST', path: models, as: 'nobody', good: {}, answered: 401 },
    'a stranger: a large body where nobody may call',
    () => many(900_000, () => ({})),
    [401],
  ),
]
