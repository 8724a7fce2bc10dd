import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'

export const times = definePart<PlatformDeps>()({ name: 'times' })
