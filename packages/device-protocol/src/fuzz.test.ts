import { serialize } from 'bson'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coerce } from './coerce.ts'
import { decodeCommon } from './common-payload.ts'
import { decodeConsumerProperties, encodeConsumerProperties } from './consumer-properties.ts'
import { decodePayload } from './payload.ts'
import { readConfiguration } from './read-configuration.ts'
import { introspectionOf, parseIntrospection, parseTopic } from './topics.ts'
import type { LeafType, Value } from './value.ts'

const runs = { numRuns: 2_000 }
const types: LeafType[] = [
  'integer',
  'double',
  'boolean',
  'string',
  'integerarray',
  'doublearray',
  'booleanarray',
  'struct',
]

/** Valid message with some bytes changed, cut or doubled. */
const damaged = fc
  .tuple(
    fc.oneof(
      fc.jsonValue({ maxDepth: 4 }).map((v) => serialize({ v, t: new Date(5) })),
      fc.jsonValue({ maxDepth: 4 }).map((v) => Buffer.from(JSON.stringify({ t: 5, v }))),
    ),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
    fc.nat(),
  )
  .map(([message, changes, cut]) => {
    const bytes = Uint8Array.from(message)
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte
    return cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes
  })

test('a damaged payload is read or refused with a reason, by both readers, in every type [C-20]', () => {
  fc.assert(
    fc.property(damaged, (bytes) => {
      const decoded = decodePayload(bytes)
      const common = decodeCommon(bytes)
      if (common) expect(decoded).toEqual(common)
      if (!decoded.ok) {
        expect(decoded.reason).not.toBe('')
        return
      }
      for (const type of types) {
        const coerced = coerce(decoded.v, type)
        if (!coerced.ok) expect(coerced.reason).not.toBe('')
        else expect(isOf(coerced.value, type)).toBe(true)
      }
    }),
    runs,
  )
})

/** Type check of a decoded value, as the store and charts expect it. */
function isOf(value: Value, type: LeafType): boolean {
  if (type === 'integer') return Number.isInteger(value) && Math.abs(value as number) <= 2 ** 31
  if (type === 'double') return Number.isFinite(value)
  if (type === 'struct') return typeof value === 'object' && !Array.isArray(value)
  const item = /^(\w+)array$/.exec(type)?.[1] as LeafType | undefined
  if (item) return Array.isArray(value) && value.every((one) => isOf(one, item))
  return typeof value === type
}

test('any text is a configuration or is refused with what is wrong', () => {
  const key = fc.constantFrom(
    'type',
    'properties',
    'interfaces',
    'policies',
    'item',
    'mapping',
    'a',
  )
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('datamodel', 'object', 'array', 'struct', 'integer', 'Probe:1.0.0', null, 3),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(key, tie('node'), { maxKeys: 5 }),
    ),
  })).node
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    tree.map((node) => JSON.stringify(node)),
  )
  fc.assert(
    fc.property(text, (configuration) => {
      try {
        expect(readConfiguration(configuration).leaves).toBeInstanceOf(Array)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect(error).not.toBeInstanceOf(TypeError)
        expect(error).not.toBeInstanceOf(RangeError)
        expect((error as Error).message).not.toBe('')
      }
    }),
    runs,
  )
})

test('any topic belongs to one device or to none', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('', '#', '+', 'control', 'emptyCache', '..'))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const topic = parts.join('/')
      const parsed = parseTopic(topic)
      if (parsed) expect(topic.startsWith(`${parsed.realm}/${parsed.logicalId}`)).toBe(true)
    }),
    runs,
  )
})

test('introspections and properties come back as they were, and noise is refused', () => {
  const name = fc.stringMatching(/^[a-z]{1,8}(\.[A-Za-z0-9]{1,8}){1,3}$/)
  const version = fc.record({ name, major: fc.nat(100), minor: fc.nat(100) })
  fc.assert(
    fc.property(fc.array(version, { maxLength: 5 }), fc.string(), (applied, noise) => {
      expect(
        parseIntrospection(introspectionOf(applied))?.slice(-applied.length || Infinity),
      ).toEqual(applied)
      const read = parseIntrospection(noise)
      if (read) expect(read.every(({ name: one }) => one !== '')).toBe(true)
    }),
  )
  const paths = fc.array(fc.stringMatching(/^[a-z/]{1,20}$/), { maxLength: 20 })
  fc.assert(
    fc.property(paths, fc.uint8Array({ maxLength: 40 }), (some, noise) => {
      const payload = encodeConsumerProperties(some)
      expect(decodeConsumerProperties(payload)).toEqual(some)
      const cut = decodeConsumerProperties(payload.subarray(0, payload.length - 1))
      if (cut) expect(cut).toEqual(some)
      expect(decodeConsumerProperties(noise) ?? []).toBeInstanceOf(Array)
    }),
  )
})
