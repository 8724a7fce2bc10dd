import { expect, test } from 'vitest'
import type { SinglePart } from '../editor/policy-tree.ts'
import { newPart } from '../editor/trigger-draft.ts'
import { phraseOf } from './policy-phrase.ts'

const band = (more: object) => ({ ...newPart('ANALOG_BAND', 'Oven:1/t'), ...more })
const level = (more: object) => ({ ...newPart('ON_LEVEL', 'Oven:1/t'), ...more })
const change = (more: object) => ({ ...newPart('ON_CHANGED', 'Oven:1/t'), ...more })
const link = (more: object) => ({ ...newPart('CONNECTION'), ...more })

test.each<[string, SinglePart, string]>([
  ['both limits', band({ min: 1, max: 2 }), 'between'],
  ['outside of both', band({ min: 1, max: 2, inside: false }), 'outside'],
  ['a lower limit that counts', band({ min: 1 }), 'atLeast'],
  ['a lower limit that does not', band({ min: 1, minOrEqual: false }), 'above'],
  ['an upper limit that counts', band({ max: 1 }), 'atMost'],
  ['an upper limit that does not', band({ max: 1, maxOrEqual: false }), 'below'],
  ['not at least is below', band({ min: 1, inside: false }), 'below'],
  ['not above is at most', band({ min: 1, minOrEqual: false, inside: false }), 'atMost'],
  ['not at most is above', band({ max: 1, inside: false }), 'above'],
  ['not below is at least', band({ max: 1, maxOrEqual: false, inside: false }), 'atLeast'],
  ['reaching a number', level({ level: 3 }), 'risesTo'],
  ['leaving a number', level({ level: 3, mode: 'ON_EXIT' }), 'falls'],
  ['switching on', level({ levelBool: true }), 'on'],
  ['leaving on is switching off', level({ levelBool: true, mode: 'ON_EXIT' }), 'off'],
  ['entering off is switching off', level({ levelBool: false }), 'off'],
  ['entering a band', level({ min: 1, max: 2 }), 'enters'],
  ['leaving a band', level({ min: 1, max: 2, mode: 'ON_EXIT' }), 'leaves'],
  ['rising over a limit', level({ min: 1, minOrEqual: false }), 'rises'],
  ['another value', change({}), 'changes'],
  ['another value by more', change({ deadband: 2 }), 'changesBy'],
  ['another value by percent', change({ deadband: 2, isPercentage: true }), 'changesByPercent'],
  ['another time', change({ changeMask: 'TIMESTAMP_CHANGED' }), 'sent'],
  ['any value', newPart('PASSTHROUGH', 'Oven:1/t'), 'received'],
  ['a lost connection', link({}), 'disconnected'],
  ['remote access', link({ source: 'VPN', status: 'ON' }), 'vpnConnected'],
])('%s has words of its own', (_, part, id) => {
  expect(phraseOf(part).id).toBe(id)
})

test('limits that are not as usual are said: those inside that do not count, and those outside that do', () => {
  expect(phraseOf(band({ min: 1, max: 2 })).ends).toBeUndefined()
  expect(phraseOf(band({ min: 1, max: 2, minOrEqual: false })).ends).toEqual({
    ends: 'min',
    how: 'without',
  })
  const open = { min: 1, max: 2, minOrEqual: false, maxOrEqual: false, inside: false }
  expect(phraseOf(band(open)).ends).toEqual({ ends: 'both', how: 'with' })
})
