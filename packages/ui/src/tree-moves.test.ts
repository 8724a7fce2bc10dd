import { expect, test } from 'vitest'
import { createTypeAhead, treeMove } from './tree-moves.ts'

const lines = [
  { level: 1, open: true, name: 'Works' },
  { level: 2, open: true, name: 'Oven' },
  { level: 3, name: 'Air' },
  { level: 3, name: 'Burner' },
  { level: 2, open: false, name: 'Press' },
  { level: 2, open: true, name: 'Empty' },
  { level: 2, name: 'Bath' },
]
const pressed = (at: number, key: string) => treeMove(lines, at, key)

test('up, down, Home and End stay inside the tree', () => {
  expect(pressed(0, 'ArrowUp')).toEqual({ to: 0 })
  expect(pressed(0, 'ArrowDown')).toEqual({ to: 1 })
  expect(pressed(6, 'ArrowDown')).toEqual({ to: 6 })
  expect(pressed(3, 'Home')).toEqual({ to: 0 })
  expect(pressed(3, 'End')).toEqual({ to: 6 })
})

test('right opens, then goes to the first line below; left closes, then goes to the line above', () => {
  expect(pressed(4, 'ArrowRight')).toEqual({ toggle: true })
  expect(pressed(1, 'ArrowRight')).toEqual({ to: 2 })
  expect(pressed(1, 'ArrowLeft')).toEqual({ toggle: false })
  expect(pressed(3, 'ArrowLeft')).toEqual({ to: 1 })
  expect(pressed(4, 'ArrowLeft')).toEqual({ to: 0 })
})

test('right on a leaf, and on an open line with nothing below, stays', () => {
  expect(pressed(2, 'ArrowRight')).toEqual({ to: 2 })
  expect(pressed(5, 'ArrowRight')).toEqual({ to: 5 })
})

test('other keys have no meaning of their own', () => {
  expect(pressed(0, 'Enter')).toBeUndefined()
  expect(pressed(0, 'b')).toBeUndefined()
})

test('a letter goes to the next line that begins with it, and around', () => {
  const find = createTypeAhead()
  expect(find(lines, 0, 'b', 0)).toBe(3)
  expect(find(lines, 3, 'b', 1_000)).toBe(6)
  expect(find(lines, 6, 'B', 2_000)).toBe(3)
  expect(find(lines, 3, 'x', 3_000)).toBeUndefined()
})

test('letters in quick succession are one text, the same letter twice is the next line', () => {
  const find = createTypeAhead()
  expect(find(lines, 0, 'b', 0)).toBe(3)
  expect(find(lines, 3, 'a', 200)).toBe(6)
  expect(find(lines, 6, 'x', 400)).toBeUndefined()
  expect(find(lines, 0, 'b', 2_000)).toBe(3)
  expect(find(lines, 3, 'b', 2_200)).toBe(6)
})
