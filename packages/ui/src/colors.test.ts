import { expect, test } from 'vitest'
import { rampOf } from './colors.ts'

/** Contrast of white text on a colour, as WCAG 2 defines it. */
function withWhite(hex: string) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}

test.each(['#1c6fd4', '#ffdd00', '#ffffff', '#7fff00', '#ff8800', '#000000', '#e91e63'])(
  'white text is readable on the buttons of an organization with the colour %s',
  (brand) => expect(withWhite(rampOf(brand)[6])).toBeGreaterThanOrEqual(4.5),
)

test('a colour that is dark enough is taken as it is', () => {
  expect(rampOf('#1c5aa8')[6]).toBe('#1c5aa8')
})

test('a ramp goes from light to dark, step by step', () => {
  const contrasts = rampOf('#1c6fd4').map(withWhite)
  expect(contrasts).toHaveLength(10)
  expect(contrasts.toSorted((a, b) => a - b)).toEqual(contrasts)
})

test('a short code means the same as the long one, and one that is none is black', () => {
  expect(rampOf('#17a')).toEqual(rampOf('#1177aa'))
  expect(rampOf('blue-ish')).toEqual(rampOf('#000'))
})
