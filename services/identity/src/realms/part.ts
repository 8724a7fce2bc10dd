import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { rights } from '../rights/part.ts'
import { rotateAllKeys } from './key-store.ts'

export const realms = definePart<IdentityDeps>()({
  name: 'realms',
  uses: [rights],
  every: { minute: rotateAllKeys },
})
