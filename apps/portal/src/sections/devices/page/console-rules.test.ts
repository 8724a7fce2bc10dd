import { expect, test } from 'vitest'
import { framesText, framesWith, readFrame } from './console-rules.ts'

const good = readFrame(
  {
    at: 0,
    direction: 'received',
    topic: 'r/d/x',
    bytes: 31,
    head: '17',
    ok: true,
    path: 'Oven:1/t',
    value: 21.5,
  },
  1,
)
const bad = readFrame(
  { at: 1000, topic: 'r/d/y', bytes: 3, head: 'ffff', ok: false, reason: 'no BSON' },
  2,
)

test('a frame that says little is read all the same', () => {
  expect(readFrame({}, 1)).toEqual({
    key: 1,
    at: 0,
    direction: 'received',
    topic: '',
    bytes: 0,
    ok: true,
    head: '',
  })
})

test('frames are found by topic, path, value and reason', () => {
  expect(framesWith([good, bad], '21.5', false)).toEqual([good])
  expect(framesWith([good, bad], 'bson', false)).toEqual([bad])
  expect(framesWith([good, bad], '', true)).toEqual([bad])
})

test('a copied frame says what was not understood and how it began', () => {
  expect(framesText([good, bad])).toBe(
    '1970-01-01T00:00:00.000Z\t<-\tr/d/x\t31 B\tOven:1/t 21.5\n1970-01-01T00:00:01.000Z\t<-\tr/d/y\t3 B\trefused: no BSON [ffff]',
  )
})
