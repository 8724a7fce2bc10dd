import { expect, test } from 'vitest'
import { stretchesOf } from './state-lanes.ts'

const states = ['Idle', 'Run', 'Fault']

test('a state holds until the next one, and equal neighbours are one stretch [R-16]', () => {
  const line = { times: [0, 10, 20, 30], values: [0, 1, 1, 2], states }
  expect(stretchesOf(line, { from: 5, to: 40 }, { least: 1 })).toEqual([
    { from: 5, to: 10, label: 'Idle', state: 0 },
    { from: 10, to: 30, label: 'Run', state: 1 },
    { from: 30, to: 40, label: 'Fault', state: 2 },
  ])
})

test('a gap stays a gap', () => {
  const line = { times: [0, 10, 20], values: [1, null, 1], states }
  const spans = stretchesOf(line, { from: 0, to: 40 }, { least: 1 })
  expect(spans.map(({ from, to }) => [from, to])).toEqual([
    [0, 10],
    [20, 40],
  ])
})

test('states too short to be seen are one stretch without a name', () => {
  const times = Array.from({ length: 100 }, (_, index) => index)
  const line = { times, values: times.map((at) => at % 3), states }
  expect(stretchesOf(line, { from: 0, to: 100 }, { least: 5 })).toEqual([
    { from: 0, to: 100, label: undefined, state: 0 },
  ])
})

test('what is not known yet is not drawn', () => {
  const line = { times: [0], values: [1], states }
  expect(stretchesOf(line, { from: 0, to: 100 }, { least: 1, until: 60 })).toEqual([
    { from: 0, to: 60, label: 'Run', state: 1 },
  ])
})

test('a state of doubtful quality is a stretch of its own, though the state is the same', () => {
  const line = { times: [0, 10, 20], values: [1, 1, 1], states, grades: [0, 2, 0] }
  expect(stretchesOf(line, { from: 0, to: 30 }, { least: 1 })).toEqual([
    { from: 0, to: 10, label: 'Run', state: 1 },
    { from: 10, to: 20, label: 'Run', state: 1, doubtful: true },
    { from: 20, to: 30, label: 'Run', state: 1 },
  ])
})

test('a state that held before the window goes on into the same state without a seam', () => {
  const held = { value: 1, from: -100, to: 10 }
  const line = { times: [10], values: [1], states, held }
  expect(stretchesOf(line, { from: 0, to: 20 }, { least: 1 })).toEqual([
    { from: 0, to: 20, label: 'Run', state: 1 },
  ])
})

test('a state without a word is shown by its number', () => {
  const spans = stretchesOf({ times: [0], values: [7], states }, { from: 0, to: 5 }, { least: 1 })
  expect(spans.map(({ label }) => label)).toEqual(['7'])
})

test('a short state between two long ones keeps its name', () => {
  const line = { times: [0, 50, 52], values: [1, 2, 1], states }
  const spans = stretchesOf(line, { from: 0, to: 100 }, { least: 5 })
  expect(spans.map(({ label }) => label)).toEqual(['Run', 'Fault', 'Run'])
})

test('values outside of the window are no stretch', () => {
  const line = { times: [-20, -10, 200], values: [0, null, 1], states }
  expect(stretchesOf(line, { from: 0, to: 100 }, { least: 1 })).toEqual([])
})
