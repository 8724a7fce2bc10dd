import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { pages } from '../pages/part.ts'
import { cleanupOldMails } from './mail-sender.ts'

export const mail = definePart<IdentityDeps>()({
  name: 'mail',
  uses: [pages],
  every: { minute: cleanupOldMails },
})
