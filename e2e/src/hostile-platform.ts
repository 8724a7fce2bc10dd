import { addressRow, deep, type HostileRow, type Kind, many, row } from './hostile-row.ts'

const formulas = 'platform/api/v1/preset/formula/validate'
const formula = (map: string) => ({ formula: { functions: { formula: { map } } } })
const ofFormulas: Kind = { method: 'POST', path: formulas, good: formula('a + 1'), answered: 200 }

const org = 'platform/api/v1/organizations/main'
const device = '{device}'
const sources = (count: number, modelPath = '**') =>
  many(count, () => ({ deviceId: device, modelPath }))
const ofQuestions: Kind = {
  method: 'POST',
  path: `${org}/devices/tags/query`,
  good: { sources: sources(1), since: 0, limit: 10 },
  answered: 200,
}
const allTime = { since: 1_500_000_000_000, to: 1_800_000_000_000 }
const exported = { devices: { ids: [device] }, format: 'csv', since: 0, to: 1 }
const ofExports: Kind = {
  method: 'POST',
  path: `${org}/exports/estimate`,
  good: exported,
  answered: 200,
}
const get = (path: string): Kind => ({ method: 'GET', path, good: undefined, answered: 200 })
const pairingKey = '/pairing/api/v1?activationKey=x&serialNumber='
const credentials = `/pairing/v1/main/devices/${'a'.repeat(22)}/protocols/corvina_mqtt_v1/credentials`
const stranger: Pick<Kind, 'as' | 'method'> = { as: 'nobody', method: 'POST' }

const ofValues: Kind = {
  method: 'POST',
  path: 'platform/api/v1/organizations/main/devices/bulkInsertTags',
  good: [],
  answered: 200,
}
/** Values of the past, all of the same path. */
const valuesOf = (deviceId: string, data: unknown[]) => [
  { deviceId, modelPath: 'press:1/double', data },
]
const oneTime = 1_700_000_000_000

/** Values, pairing and everything about a device that is connected. */
export const rows: readonly HostileRow[] = [
  row(
    ofValues,
    'values: 200,000 in one call to a device that is not there',
    () =>
      valuesOf(
        'x',
        many(200_000, (n) => [n, n]),
      ),
    [404],
  ),
  row(
    ofValues,
    'values: as many as are taken, to a device that is not there',
    () =>
      valuesOf(
        'x',
        many(250_000, (n) => [oneTime + n, 1]),
      ),
    [404],
  ),
  row(ofValues, 'values: 2,600,000 small objects', () => many(2_600_000, () => ({})), [413]),
  row(
    ofValues,
    'values: as many small objects as are taken',
    () =>
      valuesOf(
        device,
        many(390_000, () => ({})),
      ),
    [400],
  ),
  row(
    ofValues,
    'values: half of a sign among as many as are taken',
    () => valuesOf(device, [['\ud83d', 1], ...many(249_000, (n) => [oneTime + n, 1])]),
    [400],
  ),
  row(ofValues, 'values: 200,000 in one call to a device that is there', () =>
    valuesOf(
      device,
      many(200_000, (n) => [oneTime + n, n / 7]),
    ),
  ),
  row(ofFormulas, 'formulas: mistyped paths of 200 characters among 20,000', () => ({
    ...formula(many(40, (n) => `a${'x'.repeat(195)}${n}`).join(' + ')),
    paths: many(5_000, (n) => `b${'x'.repeat(190)}${n}`),
  })),
  row(ofFormulas, 'formulas: a thousand unknown functions', () =>
    formula(many(900, () => 'avgOver5(a)').join('+')),
  ),
  row(
    { method: 'POST', path: 'platform/api/v1/organizations/main/views', good: {}, answered: 400 },
    'views: a question nested 150,000 deep',
    () => ({ name: 'deep', query: { a: deep(150_000) } }),
  ),
  row(ofQuestions, 'questions: 1,000 sources of every series, in 20,000 steps', () => ({
    sources: sources(1_000),
    ...allTime,
    downsampling: { size: 20_000 },
  })),
  row(ofQuestions, 'questions: 60 sources of every series, each value', () => ({
    sources: sources(60),
    ...allTime,
    limit: 10_000_000,
    queryTimeout: 300_000,
  })),
  row(ofQuestions, 'questions: steps of a millisecond over ten years', () => ({
    sources: sources(20),
    ...allTime,
    aggregation: { type: 'average', sampling: { size: 1, unit: 'milliseconds' } },
  })),
  row(ofQuestions, 'questions: steps of a millisecond that are filled', () => ({
    sources: sources(20),
    ...allTime,
    alignment: {
      sampling: { size: 1, unit: 'milliseconds' },
      aggregation: 'average',
      missingValues: { fillPolicy: 'INTERPOLATE' },
    },
  })),
  row(ofQuestions, 'questions: a condition of 10,000 characters over each value', () => ({
    sources: sources(10),
    ...allTime,
    filterCondition: `value > ${'0 + '.repeat(2_400)}1`,
  })),
  row(ofQuestions, 'questions: figures of moving stretches of a year', () => ({
    sources: sources(20),
    ...allTime,
    aggregation: { mode: 'MOVING', type: 'p95', size: 365, unit: 'days' },
  })),
  row(ofQuestions, 'questions: 1,000 patterns of stars', () => ({
    sources: sources(1_000, '**/*'.repeat(400).slice(0, 1_500)),
    ...allTime,
  })),
  row(ofQuestions, 'questions: 4 MB of commas', () => ({
    sources: sources(1),
    filterStructFields: ','.repeat(1_900_000),
  })),
  addressRow(
    get(`${org}/values?search=press`),
    'values: a search of stars',
    () => `${org}/values?search=${'*%25'.repeat(49)}`,
  ),
  row(
    ofExports,
    'exports: 10,000 devices and 1,000 paths of all',
    () => ({
      ...exported,
      devices: { ids: many(10_000, (n) => `${n}`.padStart(22, '0')) },
      paths: many(1_000, () => '**'),
    }),
    [404],
  ),
  row(ofExports, 'exports: 1,000 patterns of one device', () => ({
    ...exported,
    ...allTime,
    paths: many(900, (n) => `${'*/'.repeat(900)}${n}`),
  })),
  row(ofExports, 'exports: 10,000 series by name', () => ({
    ...exported,
    devices: { series: many(10_000, (n) => ({ deviceId: device, modelPath: `press:1/${n}` })) },
  })),
  row(
    { method: 'POST', path: `${org}/exports/now`, good: exported, answered: 200 },
    'exports: everything in a workbook, in steps of a millisecond',
    () => ({
      ...exported,
      ...allTime,
      format: 'xlsx',
      aggregation: { type: 'average', sampling: { size: 1, unit: 'milliseconds' } },
    }),
  ),
  addressRow(
    get(`${org}/devices/${device}/logs`),
    'logs: a search of 7,000 characters',
    () => `${org}/devices/${device}/logs?search=${'%25_'.repeat(1_700)}`,
  ),
  addressRow(
    get(`${org}/devices/${device}/timeline`),
    'time-line: every kind, many times',
    () => `${org}/devices/${device}/timeline?kind=${'comment,'.repeat(800)}`,
  ),
  row(
    {
      method: 'POST',
      path: `${org}/devices/activity`,
      good: { deviceIds: [device] },
      answered: 200,
    },
    'activity: 60,000 devices',
    () => ({ deviceIds: many(60_000, (n) => `${n}`.padStart(22, '0')) }),
  ),
  row(
    {
      method: 'POST',
      path: `${org}/retention/preview`,
      good: { keepDays: 30 },
      answered: 200,
    },
    'storage: a preview for a path of 2,000 stars',
    () => ({ keepDays: 1, model: '*'.repeat(200), path: '*/'.repeat(1_000) }),
  ),
  row(
    { method: 'POST', path: `${org}/devices/${device}/tags`, good: {}, answered: 400 },
    'writes: 1,000 values of 1,800 characters',
    () => ({
      data: many(1_000, (n) => ({ modelPath: `press:1/${n}`, v: 'x'.repeat(1_800) })),
      timeoutMs: 0,
    }),
    [200, 202, 400, 404, 413, 422],
  ),
  row(
    {
      method: 'POST',
      path: `${org}/devices/${device}/agent/commands`,
      good: {},
      answered: 400,
    },
    'gateway: a command of 1.9 MB',
    () => ({ command: 'sources', parameters: many(400_000, () => 'x') }),
    [400, 404, 409, 413, 422],
  ),
  addressRow(
    { ...get(pairingKey), as: 'nobody', answered: 404 },
    'pairing: a key of 7,000 characters',
    () => `/pairing/api/v1?activationKey=${'k'.repeat(7_000)}&serialNumber=`,
  ),
  row(
    { ...stranger, path: credentials, good: { data: { csr: 'x' } }, answered: 401 },
    'pairing: a certificate request of 1.9 MB',
    () => ({ data: { csr: '-----BEGIN CERTIFICATE REQUEST-----'.repeat(50_000) } }),
    [400, 401, 403, 413],
  ),
  row(
    {
      ...stranger,
      path: `${credentials}/verify`,
      good: { data: { client_crt: 'x' } },
      answered: 200,
    },
    'pairing: a certificate of 1.9 MB',
    () => ({ data: { client_crt: 'A'.repeat(1_900_000) } }),
    [400, 401, 403, 413],
  ),
]
