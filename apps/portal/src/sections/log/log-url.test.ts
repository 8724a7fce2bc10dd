import { expect, test } from 'vitest'
import { isFiltered, logState, questionOf } from './log-url.ts'

const moment = { now: Date.parse('2026-01-08T12:00:00Z'), zone: 'UTC', weekStart: 1 }

test('without anything in the address the last week of all below is shown', () => {
  const state = logState({})
  expect(isFiltered(state)).toBe(false)
  expect(questionOf(state, 'nordwerk', moment)).toEqual({
    organization: 'nordwerk.*',
    from: new Date('2026-01-01T12:00:00Z'),
    // What portals keep for their people would drown the rest.
    ownPreferences: 'hidden',
  })
})

test('each filter of the address is asked for', () => {
  const state = logState({
    time: 'yesterday',
    q: ' oven ',
    actor: 'anna',
    resource: 'devices',
    action: 'update',
    outcome: 'refused',
    target: 'd7',
    ip: '10.0.',
    below: 'false',
    preferences: 'true',
    line: '12',
  })
  expect(state.open).toBe(12)
  expect(isFiltered(state)).toBe(true)
  expect(questionOf(state, 'nordwerk', moment)).toEqual({
    organization: 'nordwerk',
    from: new Date('2026-01-07T00:00:00Z'),
    to: new Date('2026-01-08T00:00:00Z'),
    text: 'oven',
    actor: 'anna',
    resource: 'devices',
    action: 'update',
    outcome: 'refused',
    target: 'd7',
    ip: '10.0.',
  })
})

test('things that share the rights of a resource are asked for by their calls, and left out of it', () => {
  const about = (search: object) =>
    questionOf(logState({ ...search, time: '7d' }), 'nordwerk', moment)
  const rules = about({ resource: 'alarmRule' })
  expect(rules).not.toHaveProperty('resource')
  expect(rules.call).toContain('alarms.importRules')
  expect(rules.call).not.toContain('alarms.createShelf')
  const alarms = about({ resource: 'alarms' })
  expect(alarms).toMatchObject({ resource: 'alarms' })
  expect(alarms.withoutCall).toEqual(expect.arrayContaining(['alarms.createRule']))
  expect(alarms.withoutCall).not.toContain('alarms.acknowledge')
  expect(about({ resource: 'alarms', target: 'r1' })).not.toHaveProperty('withoutCall')
  expect(about({ resource: 'devices' })).not.toHaveProperty('withoutCall')
})

test('what does not read is as if it were not there', () => {
  expect(logState({ time: 'soon', outcome: 'maybe', line: 'x', actor: '' })).toEqual(logState({}))
})
