import { expect, it } from 'vitest'
import { fillText, namesInText, Paint, textIn } from './text.ts'

it('a text is shown in the language of its reader, else in English, else in what there is', () => {
  const text = { en: 'Oven', de: 'Ofen' }
  expect([textIn(text, 'de-CH'), textIn(text, 'fr'), textIn({ it: 'Forno' }, 'en')]).toEqual([
    'Ofen',
    'Oven',
    'Forno',
  ])
  expect(textIn('Oven', 'it')).toBe('Oven')
})

it('names in a text are found and filled in, and others are left as they are', () => {
  const text = '{slot.oven.label} in shift {var.shift}, {other} {var.none}'
  expect(namesInText(text)).toEqual(['slot.oven.label', 'var.shift', 'var.none'])
  const values = new Map([
    ['slot.oven.label', 'Oven $& 2'],
    ['var.shift', '{var.none}'],
  ])
  expect(fillText(text, (name) => values.get(name))).toBe(
    'Oven $& 2 in shift {var.none}, {other} —',
  )
})

it.each(['brand', 'series-8', 'hmi-level', '#0a1B2c', '#0a1b2c80'])('%s is a colour', (paint) => {
  expect(Paint.safeParse(paint).success).toBe(true)
})

it.each(['series-9', '#fff', 'url(x)', 'red; background: url(x)', 'var(--x)', ''])(
  '%s is no colour',
  (paint) => {
    expect(Paint.safeParse(paint).success).toBe(false)
  },
)
