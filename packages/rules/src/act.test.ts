import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  act,
  type Acted,
  type Needs,
  type OccurrenceEvent,
  occurrenceEvents,
  type OccurrenceState,
  occurrenceStates,
  requiredOf,
} from './act.ts'

/** The table of the design: for each state the results of the events, in their order. */
const cells: Record<OccurrenceState, string[]> = {
  //        raise       worse       return     ack             reset                clear    rule gone
  closed: [
    'new UA',
    'new UA',
    'same',
    'skipped closed',
    'skipped closed',
    'skipped closed',
    'same',
  ],
  C: ['new UA', 'new UA', 'same', 'skipped closed', 'skipped closed', 'skipped closed', 'same'],
  CA: [
    'same',
    'new UA',
    'moved C',
    'skipped closed',
    'skipped closed',
    'skipped closed',
    'moved C',
  ],
  UA: ['severity', 'severity', 'moved RU', 'moved AA', 'skipped ack_first', 'moved CA', 'moved RU'],
  AA: [
    'severity',
    'severity',
    'moved RL',
    'skipped already',
    'skipped still_active',
    'moved CA',
    'moved closed',
  ],
  RU: ['again UA', 'again UA', 'same', 'moved RL', 'skipped ack_first', 'moved C', 'same'],
  RL: [
    'again AA',
    'again AA',
    'same',
    'skipped already',
    'moved closed',
    'moved C',
    'moved closed',
  ],
}
const both: Needs = { ack: true, reset: true }

const textOf = (state: OccurrenceState, event: OccurrenceEvent, needs = both) => {
  const acted = act(state, event, needs)
  if (acted.kind === 'skipped') return `skipped ${acted.reason}`
  return acted.state === state ? acted.kind : `${acted.kind} ${acted.state}`
}

test.each(occurrenceStates)(
  'each event in state %s, cell by cell [E-15 in part] [T-07 in part]',
  (state) => {
    expect(occurrenceEvents.map((event) => textOf(state, event))).toEqual(cells[state])
  },
)

test('without acknowledgement and reset a raise is acknowledged, and a return closes', () => {
  const none = { ack: false, reset: false }
  expect(act('closed', 'raise', none)).toEqual({ kind: 'new', state: 'AA' })
  expect(act('AA', 'return', none)).toEqual({ kind: 'moved', state: 'closed' })
  expect(act('RU', 'ack', { ack: true, reset: false })).toEqual({ kind: 'moved', state: 'closed' })
})

test('reset is required from the acknowledgement on, and open is what needs somebody [E-15 in part] [T-07 in part]', () => {
  const shown = occurrenceStates.map((state) => {
    const { isActive, ackRequired, resetRequired, isOpen } = requiredOf(state, both)
    return [state, isActive, ackRequired, resetRequired, isOpen]
  })
  expect(shown).toEqual([
    ['UA', true, true, false, true],
    ['AA', true, false, true, true],
    ['RU', false, true, false, true],
    ['RL', false, false, true, true],
    ['C', false, false, false, false],
    ['CA', false, false, false, false],
    ['closed', false, false, false, false],
  ])
})

test('acknowledged stays so until the next occurrence, and what is cleared stays cleared until it returns', () => {
  const events = fc.array(fc.constantFrom(...occurrenceEvents), { maxLength: 30 })
  fc.assert(
    fc.property(events, fc.boolean(), fc.boolean(), (list, ack, reset) => {
      let state: OccurrenceState = 'closed'
      for (const event of list) {
        const acted: Acted = act(state, event, { ack, reset })
        if (state === 'AA' && event !== 'worse') expect(acted.state).not.toBe('UA')
        if (state === 'CA' && !['return', 'worse', 'ruleGone'].includes(event))
          expect(acted.state).toBe('CA')
        if (!reset) expect(acted.state).not.toBe('RL')
        if (acted.kind === 'skipped' || acted.kind === 'same') expect(acted.state).toBe(state)
        state = acted.state
      }
    }),
  )
})
