import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'

export const directory = definePart<CoreDeps>()({
  name: 'directory',
})
