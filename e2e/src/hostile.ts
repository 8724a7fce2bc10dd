import fc from 'fast-check'

// Unusual values in a query, mostly well-formed so that they pass its schema.

export const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    0,
    -1,
    -0,
    1e308,
    5e-324,
    2 ** 53,
    -(2 ** 63),
    8.64e15,
    8.65e15,
    '\u0000',
    '\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    "'; drop table mappings.device; --",
    '%',
    '\\',
    '$1',
    '..',
    [],
    {},
    [[]],
    'NaN',
    'Infinity',
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
/** Mostly something that is meant, so that the question gets past its schema. */
export const some = (...meant: unknown[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom<unknown>(...meant) }, strange)
export const record = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: [] })

const unit = some('milliseconds', 'second', 'minutes', 'hours', 'days', 'weeks', 'months', 'years')
const figure = some(
  'average',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'delta',
  'timeWeightedAverage',
  'percentile',
  'p95',
  'median',
)
const size = some(1, 7, 0.5, 1e9, 1e-9)
const sampling = record({ size, unit, extent: some(1, 24, 1e9) })
const param = some(0, 50, 100, 101)
const time = some('now', 'now-1h', '-7d', '-300000y', 'now-1e9d', 0, 1e12, '2026-03-29T02:30:00')
const formulas = [
  'value > 0',
  'value / 0',
  'timestamp % 2 == 0',
  'quality == 0',
  '(((((value)))))',
  `${'('.repeat(300)}value${')'.repeat(300)}`,
  'value >',
  `a = 1 ${'+ 1'.repeat(2_000)}`,
  'x y z',
  '"',
  'value & 1 << 64',
  'pow(10, 400)',
]
export const condition = some(...formulas)
export const question = record({
  since: time,
  to: time,
  sinceAfter: time,
  limit: some(1, 100, 10_000_000),
  format: some('json', 'table', 'legacy', 'csv'),
  timestampFormat: some('unix', 'iso8601'),
  aggregation: fc.oneof(
    record({ type: figure, param, sampling }),
    record({ type: figure, mode: some('SCALAR', 'MOVING', 'DISABLED'), size, unit, extent: size }),
  ),
  downsampling: record({ size: some(1, 100, 20_000, 20_001) }),
  timezone: some('Europe/Rome', 'Australia/Lord_Howe', 'Mars/Olympus', 'UTC', '+25:00', 'etc/utc'),
  queryTimeout: some(1, 50, 60_000),
  action: some('FETCH', 'DESCRIBE', 'RESOLVE'),
  filterStructFields: some(['a', '__proto__'], 'a,b'),
  filterCondition: condition,
  filterRawData: some(true, false, 'false'),
  filters: record({
    beforeAlignment: record({ condition }),
    post: record({ condition, fields: some(['value'], ['__proto__']) }),
  }),
  alignment: record({
    sampling,
    aggregation: fc.oneof(figure, record({ type: figure, param })),
    missingValues: record({
      fillPolicy: some('EXTEND_LAST_VALUE', 'INTERPOLATE', 'NONE'),
      paddingPolicy: some('SEARCH_OR_NULL', 'NULL'),
    }),
    source: some('a', 'press:1/double'),
  }),
  functions: record({
    formula: record({ map: some('a + 1', '$(a) * 2', 'a', ...formulas) }),
    reduce: record({ operator: figure, param }),
  }),
})

const field = fc.constantFrom(
  'label',
  'id',
  'tags',
  'connected',
  'createdAt',
  'attributes.site',
  'attributes.a.b',
  'attributes.__proto__',
  'modelName',
  'position',
  'orgResourceId',
  'x',
)
const literal = fc.oneof(
  fc.constantFrom(
    'true',
    'null',
    '1e400',
    '-5',
    '"a"',
    '"%_\\\\"',
    '"\u0000"',
    '""',
    '9'.repeat(50),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
)
const compared = fc
  .tuple(field, fc.constantFrom('==', '!=', '>', '>=', '<', '<=', '~=', '!~='), literal)
  .map((parts) => parts.join(' '))
const listed = fc
  .tuple(field, fc.array(literal, { maxLength: 4 }))
  .map(([name, values]) => `${name} in (${values.join(', ')})`)
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    compared,
    listed,
    tie('expression').map((inner) => `not (${inner})`),
    fc
      .tuple(tie('expression'), fc.constantFrom(' and ', ' or ', ' '), tie('expression'))
      .map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 20 }),
  ),
}))
export const search = record({
  data: expression,
  search: some('oven', '%', '\\'),
  connected: some(true, 'true'),
  state: some('connected', 'never'),
  segment: some('x'),
  filters: record({
    searchField: some('label', 'attributes.site'),
    searchValue: some('a'),
    searchFields: some(['label', 'tags'], ['label']),
    searchValues: some(['a', 'b'], []),
    existingFields: some(['attributes.site', 'position']),
    organizations: some(['main'], ['']),
    deviceIds: some(['x']),
    matchAny: some(true),
  }),
  scopedOrganization: some('main', 'main.*', '*'),
  geoLocation: some([0, 0], [90, 180], [91, 0], [1e308, -1e308]),
  geoLocationDistance: some(0, 1e308, '5km', '1e999km', '-1m'),
  geoBoundsTopLeft: some([10, 170], [-90, 0]),
  geoBoundsBottomRight: some([-10, -170], [90, 0]),
  page: some(0, 1e9, 2 ** 31, 2 ** 53),
  pageSize: some(1, 500),
  orderBy: some('label', 'attributes.site', 'createdAt', 'x'),
  orderDir: some('asc', 'desc'),
  scroll: some(true),
  scrollId: some('x', 'eyJieSI6ImxhYmVsIn0', 'bnVsbA'),
  statFields: some(['attributes.site', 'tags'], ['x']),
  countDistinct: some(['label', 'tags'], ['attributes']),
  geoTileGridPrecision: some(0, 29),
  geoHashGridPrecision: some(1, 12),
})
