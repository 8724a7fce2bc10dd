import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { realms } from '../realms/part.ts'
import { clients } from '../clients/part.ts'
import { sessionsContract } from './contract.ts'
import { cleanupSessions } from './session-cleanup.ts'

export const sessions = definePart<IdentityDeps>()({
  name: 'sessions',
  contract: sessionsContract,
  uses: [realms, clients],
  every: { minute: cleanupSessions },
})
