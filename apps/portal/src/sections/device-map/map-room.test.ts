import { expect, test } from 'vitest'
import { roomIn } from './map-room.ts'

/** From the bottom: the legend's place, its two lines on a phone, and the name below a mark. */
const legend = { phone: 28 + 52, screen: 10 + 28 }
const name = 36

test('the name of the lowest device stands above the legend, on a phone and on a screen', () => {
  expect(roomIn(366).bottom).toBeGreaterThan(legend.phone + name)
  expect(roomIn(1000).bottom).toBeGreaterThan(legend.screen + name)
})
