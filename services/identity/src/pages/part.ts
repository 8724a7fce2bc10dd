import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'

export const pages = definePart<IdentityDeps>()({
  name: 'pages',
})
