import { expect, test } from 'vitest'
import { decodeConsumerProperties, encodeConsumerProperties } from './consumer-properties.ts'
import { introspectionOf, parseIntrospection, parseTopic, topicsOf } from './topics.ts'

const id = '2WNJOs7r_bIV8JVZNp1ESw'
const topics = topicsOf('exor', id)

test.each([
  [topics.base, 'introspection'],
  [topics.emptyCache, 'emptyCache'],
  [topics.configuration, 'configuration'],
  [topics.availableTags, 'availableTags'],
  [topics.alarm, 'alarm'],
])('the topic %s is %s', (topic, kind) => {
  expect(parseTopic(topic)).toEqual({ realm: 'exor', logicalId: id, kind })
})

test('every other topic below an interface is a value with its endpoint', () => {
  const endpoint = '/com.corvina.test.A1/2e6dui08pzrch2w1/0/Tag1'
  expect(topics.value(endpoint)).toBe(`exor/${id}${endpoint}`)
  expect(parseTopic(topics.value(endpoint))).toEqual({
    realm: 'exor',
    logicalId: id,
    kind: 'value',
    endpoint,
  })
})

test.each([
  '',
  'exor',
  'exor/',
  `/${id}`,
  `exor/${id}/`,
  `exor/${id}/x`,
  `exor/${id}/x/`,
  `exor/${id}//x`,
  `exor/${id}/control/other`,
  `exor/${id}/com.corvina.control.sub.Config/applyConfiguration`,
  `exor/${id}/com.corvina.control.pub.Config/other`,
])('no device publishes on "%s"', (topic) => {
  expect(parseTopic(topic)).toBeUndefined()
})

test('the introspection names the base interfaces, then those of the configuration', () => {
  const text = introspectionOf([{ name: 'com.exor.abcdefghij', major: 1, minor: 0 }])
  expect(text).toBe(
    'com.corvina.control.sub.Config:0:2;com.corvina.control.pub.Config:0:2;' +
      'com.corvina.control.pub.DeviceAlarm:2:0;com.corvina.control.sub.DeviceAlarm:1:0;' +
      'com.exor.abcdefghij:1:0',
  )
  expect(parseIntrospection(text)).toHaveLength(5)
  expect(parseIntrospection('')).toEqual([])
})

test.each(['a', 'a:1', 'a:x:1', 'a:1:2:3', ';', 'a b:1:2'])('"%s" is no introspection', (text) => {
  expect(parseIntrospection(text)).toBeUndefined()
})

test('consumer properties are the length of the text and the text in zlib', () => {
  const payload = encodeConsumerProperties(['com.a/b', 'com.c/d'])
  expect(payload.readUInt32BE(0)).toBe('com.a/b;com.c/d'.length)
  expect(decodeConsumerProperties(payload)).toEqual(['com.a/b', 'com.c/d'])
  expect(decodeConsumerProperties(encodeConsumerProperties([]))).toEqual([])
})

test('damaged consumer properties are refused, also a small text that unfolds to a large one', () => {
  const payload = encodeConsumerProperties(['x'.repeat(1_000_000)])
  payload.writeUInt32BE(3)
  expect(decodeConsumerProperties(payload)).toBeUndefined()
  expect(decodeConsumerProperties(Buffer.from([0, 0, 0, 3, 1, 2, 3]))).toBeUndefined()
  expect(decodeConsumerProperties(Buffer.from([0, 0]))).toBeUndefined()
  expect(decodeConsumerProperties(Buffer.from([255, 255, 255, 255, 1]))).toBeUndefined()
})
