import mqttPacket from 'mqtt-packet'
import { expect, test } from 'vitest'
import { createFrameReader, createTopicReader, readPublish } from './mqtt-frames.ts'

const publish = (topic: string, payload: string) =>
  mqttPacket.generate({
    cmd: 'publish',
    topic,
    payload,
    qos: 1,
    messageId: 7,
    dup: false,
    retain: false,
  })

test('topics of one client are told apart however they follow each other', () => {
  const read = createTopicReader()
  const long = `r/${'x'.repeat(600)}`
  const topics = ['r/a', 'r/a', 'r/b', 'r/a', 'r/ab', 'r/ü', 'r/ü', long, long, 'r/a']
  const found: string[] = []
  const frames = createFrameReader({
    onFrame: (bytes, bodyAt) => found.push(readPublish(bytes, bodyAt, 4, read)?.topic ?? ''),
    largest: () => 10_000,
  })
  const stream = Buffer.concat(topics.map((topic) => publish(topic, topic)))
  for (let at = 0; at < stream.length; at += 11) {
    expect(frames.read(stream.subarray(at, at + 11))).toBeUndefined()
  }
  expect(found).toEqual(topics)
})

test('a held topic does not follow the buffer that it came in', () => {
  const read = createTopicReader()
  const buffer = Buffer.from('r/a')
  expect(read(buffer, 0, 3)).toBe('r/a')
  buffer.write('r/b')
  expect(read(buffer, 0, 3)).toBe('r/b')
  expect(read(Buffer.from('r/b'), 0, 3)).toBe('r/b')
})
