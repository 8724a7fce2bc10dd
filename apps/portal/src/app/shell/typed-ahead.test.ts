import type { paletteKeys } from './typed-ahead.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

type Listener = (event: Event) => void
const listeners = new Set<Listener>()
/** The window, as far as keys come from it. */
const target = {
  addEventListener: (...[, listener]: [string, Listener]) => listeners.add(listener),
  removeEventListener: (...[, listener]: [string, Listener]) => listeners.delete(listener),
}
let keys: typeof paletteKeys
beforeAll(async () => {
  vi.stubGlobal('window', target)
  keys = (await import('./typed-ahead.ts')).paletteKeys
})
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => {
  keys.end()
  keys.begin()
})

/** Presses a key; true when it went on to others. */
function press(key: string, more: object = {}) {
  const event = Object.assign(new Event('keydown', { cancelable: true }), {
    key,
    getModifierState: () => false,
    ...more,
  })
  for (const listen of listeners) listen(event)
  return !event.defaultPrevented
}
const nothing = () => undefined
const typed = () => keys.listen(nothing)

test('keys that come before the field are kept for it, and go nowhere else', () => {
  expect([...'oven'].map((key) => press(key))).toEqual([false, false, false, false])
  expect(typed()).toEqual({ text: 'oven', entered: false })
})

test('Backspace takes the last letter away, also one of two code units', () => {
  for (const key of ['a', '😀', 'Backspace']) press(key)
  expect(typed().text).toBe('a')
  press('Backspace')
  press('Backspace')
  expect(typed().text).toBe('')
})

test('Enter is remembered, so that the first hit is opened', () => {
  press('o')
  press('Enter')
  expect(typed()).toEqual({ text: 'o', entered: true })
})

test('commands and keys without a letter go on to others', () => {
  expect(press('k', { ctrlKey: true })).toBe(true)
  expect(press('Tab')).toBe(true)
  expect(press('ArrowDown')).toBe(true)
  expect(press('あ', { isComposing: true })).toBe(true)
  expect(typed().text).toBe('')
})

test('a character that is written with the third level of the keyboard is typed', () => {
  const altGr = { ctrlKey: true, altKey: true, getModifierState: () => true }
  expect(press('@', altGr)).toBe(false)
  expect(typed().text).toBe('@')
})

test('the field is told of what comes later too, and from then on nothing is kept', () => {
  press('o')
  const told: string[] = []
  keys.listen(({ text }) => told.push(text))
  press('v')
  keys.end()
  expect(press('e')).toBe(true)
  expect(told).toEqual(['ov'])
  keys.begin()
  expect(typed().text).toBe('')
})
