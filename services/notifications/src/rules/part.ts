import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { recipients } from '../recipients/part.ts'
import { rulesContract } from './contract.ts'
import { ruleHandlers } from './rule-handlers.ts'

export const rules = definePart<NotificationsDeps>()({
  name: 'rules',
  contract: rulesContract,
  uses: [recipients],
  handlers: ruleHandlers,
})
