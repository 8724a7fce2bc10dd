import { expect, test } from 'vitest'
import { closedRing, overDateLine } from './date-line.ts'

test('a line over the date line goes on past 180 degrees, to the east and to the west', () => {
  const east = [
    [170, 60],
    [-175, 65],
    [175, 70],
  ]
  expect(overDateLine(east).map(([x]) => x)).toEqual([170, 185, 175])
  const west = [
    [-170, 60],
    [175, 65],
  ]
  expect(overDateLine(west).map(([x]) => x)).toEqual([-170, -185])
})

test('a ring around a pole is closed along the edge, every other stays', () => {
  const south = [
    [-170, -70],
    [0, -65],
    [170, -70],
    [-170, -70],
  ]
  expect(closedRing(south).slice(3)).toEqual([
    [190, -70],
    [190, -90],
    [-170, -90],
    [-170, -70],
  ])
  const square = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ]
  expect(closedRing(square)).toEqual(square)
})
