import { expect, test } from 'vitest'
import type { ChartSeries } from './chart-data.ts'
import { formatValue } from './format.ts'
import { readableNumber } from './number-format.ts'
import { isShownOtherwise, shownSeries, shownValue } from './shown-unit.ts'

const inFahrenheit = (value: unknown) => shownValue(value, '°C', 'fahrenheit').value
const inCelsius = (value: unknown) => shownValue(value, '°F', 'celsius').value

test.each([
  [-273.15, -459.67],
  [-40, -40],
  [0, 32],
  [21, 69.8],
  [100, 212],
  [185, 365],
  [185.5, 365.9],
  [1e300, 1.8e300],
])('%d °C are %d °F, and the other way round', (celsius, fahrenheit) => {
  expect(inFahrenheit(celsius)).toBe(fahrenheit)
  expect(Number(inCelsius(fahrenheit)) / celsius || 1).toBeCloseTo(1, 9)
})

test('a converted value has no more digits than the device gave, but tells neighbours apart', () => {
  expect(inFahrenheit(20.1)).toBe(68.2)
  expect(inFahrenheit(Math.fround(20.1))).toBe(68.2)
  expect(inFahrenheit(21.25)).toBe(70.25)
  expect([365, 366, 367].map(inCelsius)).toEqual([185, 185.6, 186.1])
  expect(readableNumber(Number(inFahrenheit(185.123_456)), 'en')).toBe('365.2')
  expect(Object.is(inFahrenheit(-17.78), 0)).toBe(true)
  expect(formatValue(Number(inCelsius(32)), { unit: '°C' })).toBe('0\u00a0°C')
})

test('what is no number stays; what is none yet has the unit that the next one will have', () => {
  expect([Number.NaN, Infinity, -Infinity].map(inFahrenheit)).toEqual([NaN, Infinity, -Infinity])
  expect(shownValue(null, '°C', 'fahrenheit')).toEqual({ value: null, unit: '°F' })
  expect(shownValue('12', '°C', 'fahrenheit')).toEqual({ value: '12', unit: '°C' })
  expect(shownValue(true, '°C', 'fahrenheit')).toEqual({ value: true, unit: '°C' })
})

test.each(['°C', '℃', 'ºC', '° C', 'degC', 'deg C', 'Celsius', 'degrees Celsius', ' °C '])(
  '%j is a temperature',
  (unit) => expect(shownValue(185, unit, 'fahrenheit')).toEqual({ value: 365, unit: '°F' }),
)

test.each(['C', 'F', 'K', '°', '°Cd', '%', 'C/s', '°C²', 'J/°C', '°C·h', '°C/m', '', undefined])(
  '%j is none, and stays as the device gives it',
  (unit) => {
    expect(shownValue(185, unit, 'fahrenheit')).toEqual({ value: 185, unit })
    expect(shownValue(185, unit, 'celsius')).toEqual({ value: 185, unit })
  },
)

test('the unit that is wanted, or none wanted, leaves the value and its writing alone', () => {
  expect(shownValue(185.123, 'degC', 'celsius')).toEqual({ value: 185.123, unit: 'degC' })
  expect(shownValue(185.123, '°C', 'auto')).toEqual({ value: 185.123, unit: '°C' })
})

test('rates only scale', () => {
  expect(shownValue(5, '°C/min', 'fahrenheit')).toEqual({ value: 9, unit: '°F/min' })
  expect(shownValue(0, '°F/h', 'celsius')).toEqual({ value: 0, unit: '°C/h' })
})

const line: ChartSeries = {
  id: 'a',
  name: 'Air',
  color: 'red',
  unit: '°C',
  times: [1, 2, 3],
  values: [20, null, 20.1],
  low: [19, null, -40],
  high: [21, null, 100],
  held: { value: 0, at: 0, from: 0, to: 1, joins: true },
}

test('of a line values, band and what held are shown in one unit, gaps and times stay', () => {
  const shown = shownSeries(line, 'fahrenheit')
  expect(shown).toEqual({
    ...line,
    unit: '°F',
    values: [68, null, 68.2],
    low: [66.2, null, -40],
    high: [69.8, null, 212],
    held: { ...line.held, value: 32 },
  })
  expect(shown.times).toBe(line.times)
  expect(line.values).toEqual([20, null, 20.1])
  expect(shownSeries(line, 'auto')).toBe(line)
  expect(shownSeries(line, 'celsius')).toBe(line)
})

test('of a line of differences the scale counts, not the zero; the same column may be both', () => {
  expect(shownSeries(line, 'fahrenheit', 'difference').values).toEqual([36, null, 36.2])
  expect(shownSeries(line, 'fahrenheit').values).toEqual([68, null, 68.2])
})

test('a line that did not change is the same again, and states are no temperatures', () => {
  expect(shownSeries({ ...line }, 'fahrenheit').values).toBe(shownSeries(line, 'fahrenheit').values)
  const states = { ...line, states: ['Off', 'On'] }
  expect(shownSeries(states, 'fahrenheit')).toBe(states)
})

test.each([
  ['°C', 'fahrenheit', true],
  ['°C', 'celsius', false],
  ['°C', 'auto', false],
  ['bar', 'fahrenheit', false],
  [undefined, 'fahrenheit', false],
] as const)(
  'values in %s for a person who reads %s: shown in another unit is %s',
  (unit, wanted, is) => expect(isShownOtherwise(unit, wanted)).toBe(is),
)
