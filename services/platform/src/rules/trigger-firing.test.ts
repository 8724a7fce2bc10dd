import type { Change } from '@longreach/rules/change'
import { newInstance } from '@longreach/rules/state'
import { expect, test } from 'vitest'
import type { Judged } from '../devices/device.ts'
import { createPolicyCompiler } from './device-policy.ts'
import { firingsOf } from './trigger-firing.ts'

const path = 'Probe:1/temperature'
const savedAt = 5_000

/** Trigger on a device, as far as firings are made of it. */
function judgedTrigger(): Judged {
  const policy = { type: 'ANALOG_BAND', modelPathMatcher: path, min: 50 }
  const given = { id: 'hot', orgResourceId: 'exor', version: 1, updatedAt: savedAt }
  const [rule] = createPolicyCompiler().deviceRules({ ...given, deviceGroups: [], policy }, [path])
  if (!rule) throw new Error('the policy has a part')
  const device = { id: 'probe', label: 'Probe 1', org: 'exor', groups: [] }
  const judged = { rule, instance: path, sources: [], state: newInstance(rule.compiled) }
  return { ...judged, of: { device } } as unknown as Judged // the facts that firings take
}
const changes = [
  { kind: 'raise', t: 1_000 },
  { kind: 'return', t: 2_000 },
  { kind: 'raise', t: 12_000 },
  { kind: 'return', t: 13_000 },
] as unknown as Change[] // their kinds and times are all that is read

test('[R-23] late values of a time before a trigger was saved are no firings of it', () => {
  const judged = judgedTrigger()
  const fired = (isAgain: boolean) =>
    firingsOf(judged, changes, { heardAt: 20_000, isAgain }).map(({ t, until }) => [t, until])
  expect(fired(true)).toEqual([[12_000, 13_000]])
  // A device whose clock is behind is judged by its own time.
  expect(fired(false)).toEqual([
    [1_000, 2_000],
    [12_000, 13_000],
  ])
})
