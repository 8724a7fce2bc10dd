import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { occurrencesContract } from './contract.ts'
import { movedAlarmConsumers } from './device-consumers.ts'
import { cleanupSetAside } from './careful-consumer.ts'
import { climbLadders } from './ladder.ts'
import { reportConsumer } from './report-consumer.ts'
import { raiseTriggerAlarm } from './trigger-alarms.ts'
import { ruleConsumer } from './rule-consumer.ts'
import type { RuleMemory } from './rule-facts.ts'
import { unconfirmedConsumer } from './unconfirmed.ts'

export const occurrences = definePart<AlarmsDeps>()({
  name: 'occurrences',
  contract: occurrencesContract,
  uses: [devices],
  state: (): { rules: RuleMemory } => ({ rules: new Map() }),
  handlers: (deps) => ({ raiseTriggerAlarm: raiseTriggerAlarm(deps) }),
  every: { second: climbLadders, hour: ({ db, now }) => cleanupSetAside(db, now()) },
  consumers: (deps) => [
    reportConsumer(deps),
    ruleConsumer(deps, deps.state.rules),
    unconfirmedConsumer(),
    ...movedAlarmConsumers(deps),
  ],
})
