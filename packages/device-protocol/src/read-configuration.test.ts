import { expect, test } from 'vitest'
import { readConfiguration } from './read-configuration.ts'

const onchange = { triggers: [{ type: 'onchange', changeMask: 'value', minIntervalMs: 1000 }] }
const base = '/com.corvina.test.A1/2e6dui08pzrch2w1/0'
const probe = {
  UUID: '2e6dui08pzrch2w1',
  instanceOf: 'Probe:1.0.0',
  type: 'object',
  policies: { _0: { type: 'send', ...onchange } },
  interfaces: [
    {
      interface_name: 'com.corvina.test.A1',
      version_major: 1,
      version_minor: 0,
      type: 'datastream',
      ownership: 'device',
      aggregation: 'individual',
      mappings: [{ endpoint: '/%{uuid}/%{index}/Tag1', type: 'integer', explicit_timestamp: true }],
    },
  ],
  properties: {
    Tag1: {
      type: 'integer',
      mode: 'R',
      version: '1.0.0',
      historyPolicy: { enabled: false },
      sendPolicy: { instanceOf: '_0' },
      datalink: { source: 'Tag1' },
      mapping: { device_endpoint: `${base}/Tag1` },
    },
    'flat/key': {
      type: 'double',
      mode: 'RW',
      historyPolicy: { enabled: true },
      sendPolicy: onchange,
      datalink: { source: 'Set' },
      mapping: { device_endpoint: `${base}/Set`, server_endpoint: `${base}.sub/Set` },
    },
    zones: {
      type: 'array',
      length: 2,
      item: {
        type: 'object',
        properties: {
          t: {
            type: 'double',
            mode: 'R',
            historyPolicy: { enabled: true },
            datalink: { source: 'zone${0}.\\${t}' },
            mapping: { device_endpoint: '/i/u/${0}/t' },
          },
        },
      },
    },
    S: {
      type: 'struct',
      instanceOf: 'S:1.0.0',
      mode: 'RW',
      historyPolicy: { enabled: true },
      sendPolicy: onchange,
      mapping: { device_endpoint: '/s/u/0', server_endpoint: '/s.sub/u/0' },
      properties: {
        a: { type: 'integer', datalink: { source: 'st.a' } },
        b: { type: 'double' },
      },
    },
  },
}
const configuration = (data: object = probe) =>
  JSON.stringify({ type: 'datamodel', properties: { Probe: data } })

test('leaves have model paths, sources, named policies and endpoints', () => {
  const { model, leaves, byDeviceEndpoint, byServerEndpoint } = readConfiguration(configuration())
  expect(model).toBe('Probe:1')
  expect(leaves.map(({ path }) => path)).toEqual([
    'Probe:1/Tag1',
    'Probe:1/flat/key',
    'Probe:1/zones[0]/t',
    'Probe:1/zones[1]/t',
    'Probe:1/S',
  ])
  expect(leaves[0]).toEqual({
    path: 'Probe:1/Tag1',
    type: 'integer',
    mode: 'R',
    history: false,
    source: 'Tag1',
    sendPolicy: { type: 'send', ...onchange },
    deviceEndpoint: `${base}/Tag1`,
  })
  expect(byDeviceEndpoint.get('/i/u/1/t')?.source).toBe('zone1.${t}')
  expect(byServerEndpoint.get(`${base}.sub/Set`)?.path).toBe('Probe:1/flat/key')
})

test('a struct is one value whose fields may be written one by one', () => {
  const { byDeviceEndpoint, byServerEndpoint } = readConfiguration(configuration())
  expect(byDeviceEndpoint.get('/s/u/0')).toMatchObject({
    type: 'struct',
    fields: { a: 'integer', b: 'double' },
    fieldSources: { a: 'st.a' },
  })
  expect(byServerEndpoint.get('/s.sub/u/0')?.path).toBe('Probe:1/S')
  expect(byServerEndpoint.get('/s.sub/u/0/a')).toMatchObject({
    path: 'Probe:1/S/a',
    type: 'integer',
    source: 'st.a',
  })
})

const leaf = { ...probe.properties.Tag1 }
test.each([
  ['no properties', { type: 'datamodel', properties: {} }, /needs properties/],
  ['another type', { type: 'x', properties: { Probe: probe } }, /type/],
  [
    'no interfaces',
    { type: 'datamodel', properties: { P: { ...probe, interfaces: undefined } } },
    /interfaces/,
  ],
  [
    'an unknown policy',
    {
      type: 'datamodel',
      properties: {
        P: { ...probe, properties: { a: { ...leaf, sendPolicy: { instanceOf: '_9' } } } },
      },
    },
    /Probe:1\/a: unknown policy _9/,
  ],
  [
    'an unknown datatype',
    {
      type: 'datamodel',
      properties: { P: { ...probe, properties: { a: { ...leaf, type: 'x' } } } },
    },
    /Probe:1\/a: unknown type x/,
  ],
  [
    'a field with a send policy',
    {
      type: 'datamodel',
      properties: {
        P: { ...probe, properties: { s: { type: 'struct', properties: { a: leaf } } } },
      },
    },
    /Probe:1\/s\/a: a field has no send policy/,
  ],
])('a configuration with %s is refused', (_, text, message) => {
  expect(() => readConfiguration(JSON.stringify(text))).toThrow(message)
})

test('arrays within arrays do not unfold without end', () => {
  const inner = { type: 'array', length: 10_000, item: leaf }
  const outer = { ...probe, properties: { a: { type: 'array', length: 10_000, item: inner } } }
  expect(() => readConfiguration(configuration(outer))).toThrow(/over 100000 leaves/)
})
