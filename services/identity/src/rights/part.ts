import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { createRights } from './rights.ts'

export const rights = definePart<IdentityDeps>()({
  name: 'rights',
  state: ({ clients }) => createRights(clients.core),
})
