import { type HostileRow, type Kind, many, refusedTable, row } from './hostile-row.ts'

const leaves = (count: number, leaf: object = { type: 'double' }) => ({
  type: 'object',
  instanceOf: 'B:1.0.0',
  properties: Object.fromEntries(many(count, (n) => [`p${n}`, leaf])),
})
export const smallModel = leaves(2)
const small = smallModel

const devices = 'mappings/api/v1/devices/imports?organization=main&dryRun=true'
const validate = 'mappings/api/v1/models/validate?organization=main'
const models = 'mappings/api/v1/models?organization=main'
const presets = 'mappings/api/v1/presets/validate?organization=main'
const search = 'mappings/api/v1/devices/search?organization=main'

const machines = 'label,serialNumber\nOven,4711\n'
const wide = (columns: number) => `${many(columns, (n) => `c${n}`).join()}\nx\n`
const long = (first: string, line: (n: number) => string, lines: number) =>
  `${first}\n${many(lines, line).join('\n')}\n`

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

const ofAttributes: Kind = {
  method: 'PATCH',
  path: 'mappings/api/v1/devices/{device}?organization=main',
  good: { key: 'site', value: 'Turin' },
  answered: 200,
}
const inside = (depth: number, value: unknown): unknown =>
  depth === 0 ? value : inside(depth - 1, [value])

/** Models, presets and devices. */
export const rows: readonly HostileRow[] = [
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
  row(
    ofAttributes,
    'devices: an attribute of as many values as are taken',
    () => ({ key: 'a', value: many(24_000, () => ({})) }),
    [422],
  ),
  row(
    ofAttributes,
    'devices: an attribute of 20,000 values, 500 deep',
    () => ({
      key: 'a',
      value: inside(
        500,
        many(20_000, () => 1),
      ),
    }),
    [400, 422],
  ),
  row(
    { ...ofAttributes, method: 'PUT', path: ofAttributes.path.replace('?', '/attributes?') },
    'devices: an attribute of small objects, 900 deep',
    () => ({
      key: 'a',
      value: inside(
        900,
        many(15_000, () => ({})),
      ),
    }),
    [400, 422],
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
  row(
    { method: 'POST', path: models, as: 'nobody', good: {}, answered: 401 },
    'a stranger: a large body where nobody may call',
    () => many(900_000, () => ({})),
    [401],
  ),
  row(ofSearch, 'search: 1,600 brackets in each other', () => ({
    data: `${'not ('.repeat(1_600)}label == "a"${')'.repeat(1_600)}`,
  })),
  row(ofSearch, 'search: 1,900 names in one list', () => ({
    data: `label in (${many(1_900, (n) => `"${n}"`).join()})`,
  })),
  row(ofSearch, 'search: patterns of nothing but wildcards', () => ({
    data: `label ~= "${'%_'.repeat(4_900)}"`,
  })),
  row(ofSearch, 'search: a pattern that would go back again and again', () => ({
    data: `label ~= "${'.*a'.repeat(3_200)}$"`,
  })),
  row(
    {
      method: 'POST',
      path: 'mappings/api/v1/devices/bulk?organization=main',
      good: {
        action: { kind: 'addTags', tags: ['seen'] },
        selection: { question: { search: 'press' } },
        label: 'Tags',
      },
      answered: 202,
    },
    'many devices: a choice of 10,000 ids',
    () => ({
      action: { kind: 'addTags', tags: many(20, (n) => `t${n}`) },
      selection: { ids: many(10_000, (n) => `${n}`.padStart(22, '0')) },
      label: 'Tags',
    }),
    [202, 400, 422],
  ),
]
