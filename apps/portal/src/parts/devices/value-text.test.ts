import { expect, test } from 'vitest'
import { spoken } from '../words/spoken-testing.ts'
import { useValueText } from './value-text.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const device = await spoken(useValueText)
const fahrenheit = await spoken(useValueText, { temperature: 'fahrenheit' })
const german = await spoken(useValueText, { language: 'de' })

test.each([
  [185.5, '°C', '185.5 °C'],
  [true, undefined, 'On'],
  [false, undefined, 'Off'],
  [null, '°C', '— °C'],
  ['Idle', undefined, 'Idle'],
  [{ a: 1 }, undefined, '{"a":1}'],
  [Infinity, 'bar', 'Infinity bar'],
])('%j in %s reads %j', (value, unit, text) => expect(plain(device.text(value, unit))).toBe(text))

test('numbers are written as in the language of the person', () => {
  expect(plain(german.text(1234.5, 'bar'))).toBe('1.235 bar')
})

test('a person who reads Fahrenheit sees both where a value is written to a device', () => {
  expect(plain(fahrenheit.text(185, '°C'))).toBe('365 °F')
  expect(plain(fahrenheit.bothText(185, '°C'))).toBe('185 °C (365 °F)')
  expect(plain(fahrenheit.bothText(5, 'bar'))).toBe('5 bar')
  expect(plain(device.bothText(185, '°C'))).toBe('185 °C')
  expect(plain(fahrenheit.bothText('auto', '°C'))).toBe('auto °C')
})

test('a change has its unit once, in the unit that is read', () => {
  expect(plain(device.changeText(180, 185.5, '°C'))).toBe('180 → 185.5 °C')
  expect(plain(fahrenheit.changeText(180, 185, '°C'))).toBe('356 → 365 °F')
  expect(plain(device.changeText(undefined, true, undefined))).toBe('— → On')
})

test('a change from a text to a number says which unit each side has', () => {
  expect(plain(fahrenheit.changeText('auto', 185, '°C'))).toBe('auto °C → 365 °F')
})
