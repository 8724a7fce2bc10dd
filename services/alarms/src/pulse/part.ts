import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { occurrences } from '../occurrences/part.ts'
import { pulseContract } from './contract.ts'
import { cleanupPulseAlarms, pulseAlarm } from './pulse-store.ts'

/** Station of the pulse at which a beat has become an alarm. */
export const pulse = definePart<AlarmsDeps>()({
  name: 'pulse',
  contract: pulseContract,
  uses: [occurrences],
  handlers: (deps) => ({ pulseAlarm: pulseAlarm(deps) }),
  every: { minute: cleanupPulseAlarms },
})
