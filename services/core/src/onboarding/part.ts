import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { agreements } from '../agreements/part.ts'
import { directory } from '../directory/part.ts'
import { memberships } from '../memberships/part.ts'
import { organizations } from '../organizations/part.ts'
import { onboardingContract } from './contract.ts'
import { onboardingHandlers } from './onboarding-handlers.ts'

export const onboarding = definePart<CoreDeps>()({
  name: 'onboarding',
  contract: onboardingContract,
  uses: [directory, memberships, organizations, agreements],
  handlers: onboardingHandlers,
})
